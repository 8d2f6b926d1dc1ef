import { OFFER_FIELDS } from '../../../src/offers/fields';
import { FIELD_NAMES } from './field-names';
import { neededOf } from '../../../src/offers/terms/types';
import { Select, TextField } from '../ui/field';
import type { Form } from '../ui/form';
import { couponsIn, pricesIn, unknownIn } from './catalog';
import type { OfferDraft } from './offer-draft';
import { OFFER_KINDS, type TermsDraft } from './offer-types';
import { wordsOf } from './terms';
import { useCatalog } from './use-catalog';

const DURATIONS: [TermsDraft['duration'], string][] = [
  ['once', 'For the next payment'],
  ['repeating', 'For some months'],
  ['forever', 'For good'],
];

/** One number, or up to four with commas between them. */
const MONTHS = String.raw`\s*\d{1,2}(\s*,\s*\d{1,2}){0,3}\s*`;

interface TermsFieldsProps {
  draft: OfferDraft;
  errorOf: Form['errorOf'];
  onInput: (changes: Partial<OfferDraft>) => void;
}

/** What a customer gets who accepts the offer: numbers that billing applies, or the team's own words. */
export function TermsFields({ draft, errorOf, onInput }: TermsFieldsProps) {
  const { offer_type: type, terms } = draft;
  const field = (name: keyof TermsDraft) => ({
    name,
    value: terms[name],
    error: errorOf(`/terms/${name}`),
    onInput: (value: string) => onInput({ terms: { ...terms, [name]: value } }),
  });
  const text = (name: keyof TermsDraft) => ({ ...field(name), required: true, maxLength: 200 });
  const number = (name: keyof TermsDraft) => ({ ...field(name), type: 'number' as const, required: true });
  const words = (name: 'offer_value' | 'offer_duration') => ({
    name,
    label: FIELD_NAMES[name],
    value: draft[name],
    error: errorOf(name),
    maxLength: OFFER_FIELDS[name].max,
    onInput: (value: string) => onInput({ [name]: value }),
  });
  /** Typed, or chosen from what Stripe has: a price may be made later. */
  const chosen = (name: 'price' | 'coupon', label: string, known: Map<string, string> | undefined, example: string) => (
    <TextField
      {...text(name)}
      label={label}
      placeholder={example}
      suggestions={known}
      hint={terms[name] === '' ? undefined : (known?.get(terms[name]) ?? unknownIn({ [name]: terms[name] }, catalog))}
    />
  );
  const made = wordsOf(type, terms);
  // By the interface, anything may be written beside the terms.
  const isWritten = draft.offer_value !== made?.offer_value || draft.offer_duration !== made.offer_duration;
  const needed = terms.by === 'terms' ? neededOf(type, { duration: terms.duration }) : [];
  const catalog = useCatalog(needed.includes('price') || terms.by === 'coupon');
  return (
    <>
      <div class="offer-terms">
        {needed.includes('percent_off') && (
          <TextField {...number('percent_off')} label="Percent off" min={0.01} max={100} step={0.01} />
        )}
        {needed.includes('amount_off') && (
          <>
            <TextField {...number('amount_off')} label="Amount off" min={0} step="any" />
            <TextField
              {...text('currency')}
              label="Currency"
              maxLength={3}
              placeholder="USD"
              onInput={(currency) => onInput({ terms: { ...terms, currency: currency.toUpperCase() } })}
            />
          </>
        )}
        {needed.includes('duration') && <Select {...field('duration')} label="Lasts" options={DURATIONS} />}
        {needed.includes('months') &&
          (type === 'pause_subscription' ? (
            <TextField
              {...text('months')}
              label="Months"
              pattern={MONTHS}
              hint="Such as 2. With several, such as 1, 2, 3, the customer chooses."
            />
          ) : (
            <TextField {...number('months')} label="Months" min={1} max={36} step={1} />
          ))}
        {needed.includes('days') && <TextField {...number('days')} label="Days" min={1} max={730} step={1} />}
        {needed.includes('price') && chosen('price', 'Price in Stripe', pricesIn(catalog), 'price_1Q2w3E')}
        {terms.by === 'coupon' && chosen('coupon', 'Coupon in Stripe', couponsIn(catalog), 'stay-30')}
        {isWritten && (
          <>
            <TextField {...words('offer_value')} placeholder="30%" />
            <TextField {...words('offer_duration')} placeholder="3 months" />
          </>
        )}
      </div>
      {!isWritten && draft.offer_duration && (
        <p class="hint">
          {draft.offer_value && `{{value}} is “${draft.offer_value}”, `}
          {`{{duration}} is “${draft.offer_duration}”.`}
        </p>
      )}
    </>
  );
}

/** Who applies the offer. */
export function TermsChoice({ draft, onInput }: Omit<TermsFieldsProps, 'errorOf'>) {
  const { offer_type: type, terms } = draft;
  return (
    <Select
      name="terms"
      label="Applied by"
      options={OFFER_KINDS[type].ways}
      value={terms.by}
      onInput={(by) => onInput({ terms: { ...terms, by: by as TermsDraft['by'] } })}
    />
  );
}
