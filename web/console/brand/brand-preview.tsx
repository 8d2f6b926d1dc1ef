import { useEffect, useRef } from 'preact/hooks';
import { inkOn } from '../../../client/dialog/color';
import LOOK from '../../../client/dialog/look.css';
import HOST from '../../widget/host.css';
import type { BrandDraft } from './brand-form';
import { isColor } from './color';

/** What the widget looks like, of a made-up offer. Nothing in it does anything. */
export function BrandPreview({ draft, isDark }: { draft: BrandDraft; isDark: boolean }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(HOST + LOOK);
    root.adoptedStyleSheets = [sheet];
    root.replaceChildren(dialogOf(draft, isDark));
  }, [draft, isDark]);
  return (
    <div class="brand-preview" role="img" aria-label="An offer in the widget, with this brand">
      <div ref={host} inert />
    </div>
  );
}

function dialogOf({ primary_color, logo_url, brand }: BrandDraft, isDark: boolean): HTMLElement {
  const create = (tag: string, part: string, ...children: (Node | string)[]) => {
    const element = document.createElement(tag);
    element.setAttribute('part', part);
    element.append(...children);
    return element;
  };
  const logo = create('img', 'logo') as HTMLImageElement;
  logo.src = logo_url;
  const dialog = create(
    'dialog',
    'dialog',
    create(
      'div',
      'frame',
      create(
        'div',
        'content',
        ...(logo_url ? [logo] : []),
        create('h2', 'title', 'Stay for half the price'),
        create('p', 'body', 'Half price for three months, then as before.'),
      ),
      create(
        'div',
        'footer',
        create(
          'div',
          'buttons',
          create('button', 'primary', 'Take it'),
          create('button', 'secondary', 'No, thanks'),
          create('button', 'cancel', 'Cancel my subscription'),
        ),
      ),
    ),
  );
  dialog.setAttribute('open', '');
  const scheme = brand.scheme === 'auto' ? (isDark ? 'dark' : 'light') : (brand.scheme ?? 'light');
  const { style } = dialog;
  // It is as wide as its place, and no taller than what is in it.
  Object.assign(style, {
    position: 'static',
    boxSizing: 'border-box',
    width: '100%',
    maxWidth: '100%',
    maxHeight: 'none',
  });
  style.colorScheme = scheme;
  if (isColor(primary_color)) {
    style.setProperty('--rf-own-brand', primary_color);
    style.setProperty('--rf-own-ink', inkOn(primary_color));
  }
  if (brand.font) style.setProperty('--rf-own-font', brand.font);
  if (brand.radius) style.setProperty('--rf-own-radius', brand.radius);
  return dialog;
}
