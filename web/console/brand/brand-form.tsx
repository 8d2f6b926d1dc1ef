import { etagOf, type Workspace } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { pictureUrl } from '../pictures/picture-url';
import { UploadButton } from '../pictures/upload-button';
import { useSession } from '../shell/session';
import { Field, Select, TextField } from '../ui/field';
import { useForm } from '../ui/form';
import { FormEnd } from '../ui/form-end';
import { toast } from '../ui/toast';
import { BrandPreview } from './brand-preview';
import { isColor, longColor } from './color';

/** What customers' pages look like, while it is chosen. */
export type BrandDraft = Pick<Workspace, 'primary_color' | 'logo_url' | 'brand'>;
type Scheme = BrandDraft['brand']['scheme'];

const FIELDS = ['primary_color', 'logo_url', '/brand/font', '/brand/radius', '/brand/scheme'];

const FONTS: [value: string, label: string][] = [
  ['', 'That of the system'],
  ['Inter, system-ui, sans-serif', 'Inter'],
  ['Roboto, system-ui, sans-serif', 'Roboto'],
  ["'Helvetica Neue', Helvetica, Arial, sans-serif", 'Helvetica'],
  ["Georgia, 'Times New Roman', serif", 'Georgia'],
  ['ui-monospace, Menlo, Consolas, monospace', 'Monospace'],
];
const OWN_FONT = 'own';

const CORNERS: [value: string, label: string][] = [
  ['0px', 'Square'],
  ['4px', 'A little round'],
  ['', 'Round (12 px)'],
  ['24px', 'Very round'],
];

const SCHEMES: [value: string, label: string][] = [
  ['', 'Light, unless your page says otherwise'],
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['auto', 'As the customer’s device is set'],
];

export function BrandForm({ workspace, onSaved }: { workspace: Workspace; onSaved: () => Promise<void> }) {
  const { client } = useSession();
  const { primary_color, logo_url, brand } = workspace;
  const [draft, setDraft] = useState<BrandDraft>({ primary_color, logo_url, brand });
  const [isDark, setIsDark] = useState(false);
  const isKnown = FONTS.some(([font]) => font === (draft.brand.font ?? ''));
  const [hasOwnFont, setHasOwnFont] = useState(!isKnown);
  const change = (changes: Partial<BrandDraft>) => setDraft((before) => ({ ...before, ...changes }));
  const changeBrand = (changes: Partial<BrandDraft['brand']>) => change({ brand: { ...draft.brand, ...changes } });
  const form = useForm(async () => {
    const brand = { ...draft.brand, font: draft.brand.font?.trim() || null };
    await client.workspace.update({ ...draft, brand }, { ifMatch: etagOf(workspace) });
    await onSaved();
    toast('The brand is saved. Customers see it from now on.');
  });
  const corners = CORNERS.some(([radius]) => radius === (draft.brand.radius ?? ''))
    ? CORNERS
    : [...CORNERS, [draft.brand.radius!, draft.brand.radius!] as [string, string]];
  return (
    <div class="columns">
      <section class="card" aria-labelledby="look">
        <h2 id="look">Look</h2>
        <form onSubmit={form.run} noValidate>
          <Field
            name="primary_color"
            label="Colour"
            hint="Of the main button, such as #4f46e5."
            error={form.errorOf('primary_color')}
          >
            {(control) => (
              <div class="color">
                <input
                  type="color"
                  aria-label="Pick a colour"
                  value={isColor(draft.primary_color) ? longColor(draft.primary_color) : '#000000'}
                  onInput={(event) => change({ primary_color: event.currentTarget.value })}
                />
                <input
                  type="text"
                  autocomplete="off"
                  spellcheck={false}
                  maxLength={7}
                  value={draft.primary_color}
                  {...control}
                  onInput={(event) => change({ primary_color: event.currentTarget.value.trim() })}
                />
              </div>
            )}
          </Field>
          <TextField
            name="logo_url"
            label="Logo"
            hint="The address of a picture, or upload one. Empty: none."
            maxLength={2048}
            placeholder="https://acme.example/logo.svg"
            value={draft.logo_url}
            error={form.errorOf('logo_url')}
            onInput={(logo_url) => change({ logo_url: logo_url.trim() })}
          />
          <UploadButton label="Upload a logo …" onUploaded={(url) => change({ logo_url: pictureUrl(url) })} />
          <Select
            name="font"
            label="Font"
            options={[...FONTS, [OWN_FONT, 'Another, of our page']]}
            value={hasOwnFont ? OWN_FONT : (draft.brand.font ?? '')}
            onInput={(font) => {
              setHasOwnFont(font === OWN_FONT);
              if (font !== OWN_FONT) changeBrand({ font: font || null });
            }}
          />
          {hasOwnFont && (
            <TextField
              name="own-font"
              label="Its name"
              hint="The font has to be on your page. Several with commas between them: the first that a device has."
              maxLength={200}
              value={draft.brand.font ?? ''}
              error={form.errorOf('/brand/font')}
              onInput={(font) => changeBrand({ font: font || null })}
            />
          )}
          <Select
            name="radius"
            label="Corners"
            options={corners}
            value={draft.brand.radius ?? ''}
            error={form.errorOf('/brand/radius')}
            onInput={(radius) => changeBrand({ radius: radius || null })}
          />
          <Select
            name="scheme"
            label="Light or dark"
            options={SCHEMES}
            value={draft.brand.scheme ?? ''}
            onInput={(scheme) => changeBrand({ scheme: (scheme || null) as Scheme })}
          />
          <FormEnd form={form} fields={FIELDS} verb="Save" />
        </form>
      </section>
      <section class="card" aria-labelledby="preview">
        <div class="card-head">
          <h2 id="preview">Preview</h2>
          {draft.brand.scheme === 'auto' && (
            <button type="button" class="quiet small" onClick={() => setIsDark(!isDark)}>
              {isDark ? 'On a light device' : 'On a dark device'}
            </button>
          )}
        </div>
        <BrandPreview draft={draft} isDark={isDark} />
        <p class="soft">
          The pages where customers leave, and receipts, have the same colour, font and corners. Your own page may
          change what it shows: <code>data-color-scheme</code> and CSS come first.
        </p>
      </section>
    </div>
  );
}
