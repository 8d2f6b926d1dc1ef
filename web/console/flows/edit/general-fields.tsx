import { Select, TextArea, TextField } from '../../ui/field';
import { MetadataField } from '../../ui/metadata-field';
import { type InputName, INPUTS, type Inputs } from '../flow-fields';
import type { Draft } from './draft';

export interface PartProps {
  draft: Draft;
  onChange: (changes: Partial<Draft>) => void;
  errorOf: (field: string) => string | undefined;
}

/** The inputs of text. */
type TextName = { [Name in InputName]: Inputs[Name] extends string ? Name : never }[InputName];

/** The properties that every input of text has. */
function textsOf({ draft, onChange, errorOf }: PartProps) {
  return (name: TextName) => ({
    name,
    label: INPUTS[name].label,
    value: draft[name],
    error: errorOf(name),
    onInput: (value: string) => onChange({ [name]: value }),
  });
}

/** What a flow is for, and where customers who cancel are sent. */
export function GeneralFields(part: PartProps) {
  const { draft, onChange } = part;
  const text = textsOf(part);
  return (
    <section class="card" aria-labelledby="general">
      <h2 id="general">General</h2>
      <div class="columns">
        <TextField {...text('name')} hint="What your team calls it." required maxLength={200} />
        <TextField
          {...text('product_name')}
          hint="What customers are about to cancel, as they know it."
          required
          maxLength={200}
        />
      </div>
      <TextField
        {...text('locale')}
        label="Language of its texts"
        hint="A language tag, such as en, de or pt-BR. Other languages are on the page “Languages” of the flow."
        required
        maxLength={35}
      />
      <TextField
        {...text('cancellation_url')}
        hint="Where customers who cancel are sent, such as https://acme.example/account/cancel."
        type="url"
        required
      />
      <div>
        <label class="check">
          <input
            id="cancel_in_billing"
            type="checkbox"
            checked={draft.cancel_in_billing}
            aria-describedby="cancel_in_billing-about"
            onChange={(event) => onChange({ cancel_in_billing: event.currentTarget.checked })}
          />
          Cancel in billing, too
        </label>
        <p id="cancel_in_billing-about" class="hint">
          The subscription of a signed customer who cancels ends with the period that is paid. The cancellation page
          should say that the end comes in a moment, and not cancel again.
        </p>
      </div>
      {draft.cancel_in_billing && <AfterCancel {...part} />}
    </section>
  );
}

const AFTER_CANCEL: [Draft['after_cancel'], string][] = [
  ['go', 'They go to the cancellation page'],
  ['stay', 'They read when their subscription ends'],
];

/** Where customers go whose subscription the service ends. */
function AfterCancel(part: PartProps) {
  const { draft, onChange } = part;
  const text = textsOf(part);
  return (
    <>
      <Select
        name="after_cancel"
        label={INPUTS.after_cancel.label}
        hint="Customers whose subscription a person has to end always go to the cancellation page."
        options={AFTER_CANCEL}
        value={draft.after_cancel}
        onInput={(after) => onChange({ after_cancel: after as Draft['after_cancel'] })}
      />
      {draft.after_cancel === 'stay' && (
        <>
          <TextField
            {...text('canceled_title')}
            hint="Without one, customers read “We have received your cancellation” in their language."
            maxLength={200}
          />
          <TextArea
            {...text('canceled_body')}
            hint="{{until}} is the day on which the subscription ends. Without a text, customers read that day, and that they can use it until then."
            rows={3}
            maxLength={5000}
          />
        </>
      )}
    </>
  );
}

/** What customers never see. */
export function TeamFields(part: PartProps) {
  const { draft, onChange, errorOf } = part;
  const text = textsOf(part);
  return (
    <section class="card" aria-labelledby="team">
      <div class="card-head">
        <h2 id="team">For your team</h2>
        <span class="soft">All of it is optional. Customers never see it.</span>
      </div>
      <div class="columns">
        <TextField
          {...text('estimated_monthly_value')}
          hint="What a customer who stays is worth per month, in your currency."
          type="number"
          min={0}
          max={9_999_999_999.99}
          step={0.01}
        />
        <TextField
          {...text('notification_email')}
          hint="Gets a mail about each session that is saved, contacted or canceled, and each offer that ends soon, if the operator has set up mail."
          maxLength={254}
        />
      </div>
      <TextArea {...text('description')} rows={3} />
      <MetadataField
        rows={draft.metadata}
        hint="Your own names and values, such as the product in your billing system. Events have them."
        error={errorOf('metadata')}
        onInput={(metadata) => onChange({ metadata })}
      />
    </section>
  );
}
