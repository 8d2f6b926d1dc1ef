import { inkOn } from '../../client/dialog/color.ts';
import { create, set, webUrl } from './dom';
import { type Action, isBlocked, pageOf, partOf, TEXT_OF } from '../../client/dialog/pages.ts';
import { openDialog } from './shield';
import LOOK from '../../client/dialog/look.css';
import HOST from './host.css';
import { createMonths, createSurvey } from './controls';
import type { Branding, Draft, Image, Step, Shown } from '../../client/headless/types.ts';
import type { Messages } from './v1.d';

export interface Look {
  /** The address of the service, where its own pictures are. */
  service: string;
  messages: Messages;
  lang: string;
  dir: string;
  /** What the page says; the workspace's counts without it. */
  colorScheme: string | undefined;
}

/** What the customer does. */
export interface Actions {
  step: (step: Omit<Step, 'node_key'>) => void;
  note: (draft: Draft) => void;
  retry: () => void;
  close: () => void;
}

export interface FlowDialog {
  element: HTMLDialogElement;
  /** Shows a view. Opens the dialog for the first one, closes it for `nothing`. */
  render: (view: Shown) => void;
  brand: (branding: Branding) => void;
  /** Shows that something goes on until the promise settles. */
  hold: (promise: PromiseLike<unknown>) => void;
}

/** Builds a dialog that is not open yet. */
export function createDialog(root: ShadowRoot, look: Look, actions: Actions): FlowDialog {
  const { messages } = look;
  /** The view that is shown, without what may change of it. */
  let shown: string | undefined;
  let step: Step | undefined;
  let sent: Action | undefined;
  let waits = 0;
  /** What the main button does, and what the button in the alert does. */
  let submit: () => void;
  let retry: () => void;

  /** The second click of a double click does nothing: the first one may have led to another page. */
  const button = (attributes: Record<string, string>, label: string, onClick?: () => void) => {
    const element = create('button', { type: 'button', ...attributes }, label);
    element.onclick = (event) => (event.detail > 1 ? event.preventDefault() : onClick?.());
    return element;
  };
  const busy = create('div', { part: 'busy', role: 'status' });
  const close = button({ part: 'close', 'aria-label': messages.close }, '×', actions.close);
  const page = create('div', {});
  // It may scroll, so it can be reached by keyboard.
  const content = create('div', { part: 'content', tabindex: 0 }, page);
  const alert = create('div', { part: 'alert', role: 'alert' });
  const buttons = create('div', { part: 'buttons' });
  const form = create('form', { part: 'frame' }, content, create('div', { part: 'footer' }, alert, buttons));
  form.onsubmit = (event) => {
    event.preventDefault();
    submit();
  };
  const element = create(
    'dialog',
    { part: 'dialog', 'aria-labelledby': 'title', lang: look.lang, dir: look.dir },
    busy,
    close,
    form,
  );
  const { style } = element;
  const light = (scheme = 'light') => (style.colorScheme = scheme === 'auto' ? 'light dark' : scheme);
  light(look.colorScheme);
  // By Esc, which asks nobody.
  element.onclose = () => shown && actions.close();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(HOST + LOOK);
  root.adoptedStyleSheets = [sheet];
  root.replaceChildren(element);

  function build(view: Exclude<Shown, { type: 'nothing' }>): void {
    const { title, body, image, points, survey, months, draft, buttons: all } = pageOf(view, messages);
    const [, main] = all[0];
    const controls = survey ? createSurvey(survey, messages, draft) : months && createMonths(months, look.lang, draft);
    form.oninput = () => actions.note(controls!.read());
    const heading = create('h2', { part: 'title', id: 'title', tabindex: -1 }, title);
    page.replaceChildren(
      ...pictureOf(image),
      create(
        controls ? 'fieldset' : 'div',
        {},
        controls ? create('legend', {}, heading) : heading,
        ...(body ? [create('p', { part: 'body' }, body)] : []),
        ...(points?.length
          ? [create('ul', { part: 'points' }, ...points.map((point) => create('li', {}, point)))]
          : []),
        ...(controls?.elements ?? []),
      ),
    );

    const perform = (action: Action) => {
      if (action === 'close') return actions.close();
      if (isBlocked(action, step)) return undefined;
      if (step || action === 'cancel' || action === 'leave') return actions.step({ action: 'cancel' });
      sent = action;
      return actions.step({ action, ...(action === main && controls?.read()) });
    };
    submit = () => perform(main);
    // The customer may have changed what is entered since it was sent.
    retry = () => (controls && sent === main ? form.requestSubmit() : actions.retry());
    buttons.replaceChildren(
      ...all.map(([label, value], index) => {
        const part = partOf(value, !index);
        return index
          ? button({ part, value }, label, () => perform(value))
          : button({ part, value, type: 'submit' }, label);
      }),
    );
  }

  /**
   * Its place stays when it can't be loaded, so that nothing moves under a finger: the browser shows the `alt` there.
   */
  function pictureOf(image: Image | null | undefined): HTMLElement[] {
    const url = image && webUrl(image.url.startsWith('/') ? look.service + image.url : image.url);
    if (!url) return [];
    return [create('img', { part: 'image', alt: image.alt, src: url, referrerpolicy: 'no-referrer' })];
  }

  function showBusy(isBusy: unknown): void {
    busy.textContent = isBusy ? messages.moment : '';
    for (const element of buttons.querySelectorAll('button')) {
      const { value } = element;
      set(element, { 'aria-disabled': isBlocked(value as Action, step), 'aria-busy': value === step?.action });
    }
  }

  return {
    element,
    render(view) {
      if (view.type === 'nothing') {
        shown = undefined;
        return element.close();
      }
      const { node = view, busy, alert: problem } = view.type === 'node' ? view : {};
      const key = JSON.stringify(node);
      const isNew = key !== shown;
      shown = key;
      step = busy;
      if (isNew) build(view);
      showBusy(step || view.type === 'starting');
      if (alert.contains(root.activeElement)) buttons.querySelector('button')!.focus();
      alert.textContent = '';
      if (problem) {
        alert.append(messages[TEXT_OF[problem]]);
        if (problem !== 'restarted') alert.append(button({ part: 'retry' }, messages.retry, retry));
        alert.scrollIntoView({ block: 'nearest' });
      }
      if (!element.open) openDialog(element);
      if (isNew) {
        root.getElementById('title')!.focus();
        element.scrollTop = content.scrollTop = 0;
      }
    },
    brand({ primary_color, logo_url, font, radius, scheme }) {
      style.setProperty('--rf-own-brand', primary_color);
      style.setProperty('--rf-own-ink', inkOn(primary_color));
      style.setProperty('--rf-own-font', font ?? '');
      style.setProperty('--rf-own-radius', radius ? `var(--rf-radius,${radius})` : '');
      light(look.colorScheme ?? scheme);
      const url = webUrl(logo_url);
      if (!url) return;
      const logo = create('img', { part: 'logo', alt: '', src: url });
      logo.onerror = () => logo.remove();
      content.replaceChildren(logo, page);
    },
    hold(promise) {
      const release = () => showBusy(--waits);
      showBusy(++waits);
      void Promise.resolve(promise).then(release, release);
    },
  };
}
