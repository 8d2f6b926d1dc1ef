import { useState } from 'preact/hooks';
import { aboutField, OFFER_FIELDS } from '../../../src/offers/fields';
import { WhenFields } from '../audiences/when-fields';
import { TextArea, TextField, Select } from '../ui/field';
import { useForm } from '../ui/form';
import { PictureField } from '../pictures/picture-field';
import { PointsField } from '../pictures/points-field';
import { FormProblem } from '../ui/form-problem';
import { JsonArea } from '../ui/json-area';
import { MetadataField } from '../ui/metadata-field';
import { AvailableFields } from './available-fields';
import { FIELD_NAMES } from './field-names';
import { limitOf } from './limit';
import { LimitFields } from './limit-fields';
import { type OfferDraft, PLAIN_FIELDS, type PlainField } from './offer-draft';
import { changed, withExample } from './offer-examples';
import { OFFER_TYPES, type OfferType, OUTCOME_NAMES } from './offer-types';
import { OfferPicture } from './offer-picture';
import { NO_TERMS, termsOf } from './terms';
import { TermsChoice, TermsFields } from './terms-fields';

const LIMIT_HINT =
  'Who has accepted it that often does not see it: the customer, and anybody else with the same subscription. Empty: no limit.';
const TERMS = Object.keys(NO_TERMS).map((term) => `/terms/${term}`);
const FIELDS = [
  ...PLAIN_FIELDS,
  ...TERMS,
  '/limit/accepted',
  '/limit/within_days',
  '/available/from',
  '/available/until',
  'when',
  '/image/url',
  '/image/alt',
  'points',
  'metadata',
  'outcome',
  'kind',
  'data',
];

/** What customers read after accepting, where nothing is written. */
const OUR_WORDS: Record<OfferType, string> = {
  discount_percentage: 'until when they pay how much, if Stripe knows, or that the discount is applied',
  discount_fixed: 'until when they pay how much, if Stripe knows, or that the discount is applied',
  pause_subscription: 'until when the subscription is paused',
  trial_extension: 'when the next payment is',
  plan_change: 'that the plan is changed',
  custom: 'only the title',
};

interface OfferFormProps {
  draft: OfferDraft;
  /** Whether it is a new offer, which may begin with an example. */
  isNew?: boolean;
  /** What the button says. */
  verb: string;
  /**
   * @param before what was sent last, or what the form began with
   * @param isMain whether the main button was pressed, not "Save draft"
   */
  onSend: (draft: OfferDraft, before: OfferDraft, isMain: boolean) => Promise<void>;
}

/** The fields of an offer, and beside them what customers see. */
export function OfferForm({ draft: initial, isNew = false, verb, onSend }: OfferFormProps) {
  const [draft, setDraft] = useState(initial);
  // Not what is there now: what others change meanwhile is not changed back.
  const [before, setBefore] = useState(initial);
  const form = useForm(async (fields) => {
    await onSend(draft, before, !fields.has('draft'));
    setBefore(draft);
  });
  const change = (changes: Partial<OfferDraft>) => setDraft((before) => changed(before, changes));
  const text = (name: PlainField) => ({
    name,
    label: FIELD_NAMES[name],
    value: draft[name],
    error: form.errorOf(name),
    maxLength: aboutField(name).max,
    onInput: (value: string) => change({ [name]: value }),
  });

  const isOpen = draft.offer_type === 'custom' && draft.outcome === 'open';
  const isUnlimited = limitOf(draft.limit) === null;

  return (
    <div class="offer-edit">
      <form class="card" onSubmit={form.run}>
        {isNew && (
          <fieldset>
            <legend>Begin with an example</legend>
            <div class="actions">
              {OFFER_TYPES.map(([type, name]) => (
                <button key={type} type="button" class="quiet small" onClick={() => setDraft(withExample(draft, type))}>
                  {name}
                </button>
              ))}
            </div>
          </fieldset>
        )}
        <TextField {...text('name')} required hint="For your team. Statistics and events say it." />
        <div class="offer-terms">
          <Select
            {...text('offer_type')}
            options={OFFER_TYPES}
            onInput={(type) => change({ offer_type: type as OfferType })}
          />
          <TermsChoice draft={draft} onInput={change} />
        </div>
        <TermsFields draft={draft} errorOf={form.errorOf} onInput={change} />
        <TextField
          {...text('heading')}
          required={!isNew}
          hint={`${isNew ? 'Without a heading, customers see the name. ' : ''}{{value}} and {{duration}} are those above; {{first_name|there}} is the first name of the customer, and “there” for those whose name you don’t know; {{price_now}} and {{price_then}} are what the customer pays without and with the offer, {{until}} until when, and {{changes_on}} when a plan changes that changes at the end of its period; if Stripe does not know, their sentence is left out. The same in all texts.`}
        />
        <TextArea {...text('body')} rows={5} />
        <PointsField
          name="points"
          points={draft.points}
          error={form.errorOf('points')}
          translations={draft.translations}
          onInput={(points, translations) => change({ points, translations })}
        />
        <PictureField
          name="image"
          image={draft.image}
          errorOf={(part) => form.errorOf(`/image/${part}`)}
          onInput={(image) => change({ image })}
        />
        <div class="offer-labels">
          <TextField {...text('cta_accept')} required={!isNew} placeholder={OFFER_FIELDS.cta_accept.default} />
          <TextField {...text('cta_decline')} required={!isNew} placeholder={OFFER_FIELDS.cta_decline.default} />
        </div>
        {draft.offer_type === 'custom' && (
          <Select
            name="outcome"
            label="Customers who accept"
            options={Object.entries(OUTCOME_NAMES)}
            value={draft.outcome}
            error={form.errorOf('outcome')}
            hint="If they have not decided yet, they don’t count as saved until your team reports that they stay."
            onInput={(outcome) => change({ outcome: outcome as OfferDraft['outcome'] })}
          />
        )}
        <TextField
          {...text('accepted_title')}
          placeholder={isOpen ? 'Thank you for getting in touch' : 'Thank you for staying'}
        />
        <TextArea
          {...text('accepted_body')}
          rows={2}
          hint={`Empty: customers read ${OUR_WORDS[draft.offer_type]}, in their language. Until Stripe has done it, they read that it takes effect in a moment.`}
        />
        <TextField
          {...text('accept_url')}
          type="url"
          placeholder="https://"
          hint="Where customers go who accept, such as a check-out or a calendar. Empty: they stay where they are."
        />
        <LimitFields
          name="limit"
          label="Times per customer"
          hint={LIMIT_HINT}
          limit={draft.limit}
          errorOf={form.errorOf}
          onInput={(limit) => change({ limit })}
        />
        <AvailableFields
          available={draft.available}
          errorOf={form.errorOf}
          onInput={(available) => change({ available })}
        />
        <WhenFields
          when={draft.when}
          legend="Customers for whom"
          hint="Others don’t see it: the flow goes on as if it were not there."
          name="the offer"
          without="sessions"
          error={form.errorOf('when')}
          onInput={(when) => change({ when })}
        />
        {isUnlimited && draft.terms.by !== 'words' && (
          <p class="notice warning">
            Without a limit, a customer may accept this offer again and again, also several times in a row, and billing
            applies it each time.
          </p>
        )}
        <MetadataField
          rows={draft.metadata}
          error={form.errorOf('metadata')}
          hint="For your backend, such as the page of a calendar. Sessions and events have it; customers never see it."
          onInput={(metadata) => change({ metadata })}
        />
        {draft.offer_type === 'custom' && (
          <details
            class="offer-own"
            open={draft.kind !== '' || form.errorOf('kind') !== undefined || form.errorOf('data') !== undefined}
          >
            <summary>For a dialog of your own</summary>
            <TextField
              name="kind"
              label="Kind"
              maxLength={64}
              value={draft.kind}
              error={form.errorOf('kind')}
              hint="A word that tells your site which of its components shows the offer, such as book_a_call."
              onInput={(kind) => change({ kind })}
            />
            <JsonArea
              name="data"
              label="Data"
              value={draft.data}
              error={form.errorOf('data')}
              hint="JSON for that component. Customers’ browsers get it. Empty: none."
              onInput={(data) => change({ data })}
            />
          </details>
        )}
        <FormProblem form={form} fields={FIELDS} />
        <div class="actions">
          {!isNew && (
            <button type="submit" class="quiet" name="draft">
              {form.isBusy ? 'Saving …' : 'Save draft'}
            </button>
          )}
          <button type="submit" class="primary">
            {isNew && form.isBusy ? 'Saving …' : verb}
          </button>
        </div>
      </form>
      <OfferPicture offer={{ ...draft, terms: termsOf(draft.offer_type, draft.terms) }} />
    </div>
  );
}
