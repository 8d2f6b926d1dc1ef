import { TextArea, TextField } from '../../ui/field';
import { MetadataField } from '../../ui/metadata-field';
import type { Draft } from './draft';

export interface PartProps {
  draft: Draft;
  onChange: (changes: Partial<Draft>) => void;
  errorOf: (field: string) => string | undefined;
}

/** What a flow is for, and where customers who cancel are sent. */
export function GeneralFields({ draft, onChange, errorOf }: PartProps) {
  return (
    <section class="card" aria-labelledby="general">
      <h2 id="general">General</h2>
      <div class="columns">
        <TextField
          name="name"
          label="Name"
          hint="What your team calls it."
          value={draft.name}
          required
          maxLength={200}
          error={errorOf('name')}
          onInput={(name) => onChange({ name })}
        />
        <TextField
          name="product_name"
          label="Product"
          hint="What customers are about to cancel, as they know it."
          value={draft.product_name}
          required
          maxLength={200}
          error={errorOf('product_name')}
          onInput={(product_name) => onChange({ product_name })}
        />
      </div>
      <TextField
        name="locale"
        label="Language of its texts"
        hint="A language tag, such as en, de or pt-BR. Other languages are on the page “Languages” of the flow."
        value={draft.locale}
        required
        maxLength={35}
        error={errorOf('locale')}
        onInput={(locale) => onChange({ locale })}
      />
      <TextField
        name="cancellation_url"
        label="Cancellation page"
        hint="Where customers who cancel are sent, such as https://acme.example/account/cancel."
        type="url"
        value={draft.cancellation_url}
        required
        error={errorOf('cancellation_url')}
        onInput={(cancellation_url) => onChange({ cancellation_url })}
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
          The subscription of a signed customer who cancels ends with the period that is paid. Customers go to the
          cancellation page as well: it should say that the end comes in a moment, and not cancel again.
        </p>
      </div>
    </section>
  );
}

/** What customers never see. */
export function TeamFields({ draft, onChange, errorOf }: PartProps) {
  return (
    <section class="card" aria-labelledby="team">
      <div class="card-head">
        <h2 id="team">For your team</h2>
        <span class="soft">All of it is optional. Customers never see it.</span>
      </div>
      <div class="columns">
        <TextField
          name="estimated_monthly_value"
          label="Monthly value"
          hint="What a customer who stays is worth per month, in your currency."
          type="number"
          min={0}
          max={9_999_999_999.99}
          step={0.01}
          value={draft.estimated_monthly_value}
          error={errorOf('estimated_monthly_value')}
          onInput={(estimated_monthly_value) => onChange({ estimated_monthly_value })}
        />
        <TextField
          name="notification_email"
          label="Notification email"
          hint="Gets a mail about each session that is saved or canceled, if the operator has set up mail."
          value={draft.notification_email}
          maxLength={254}
          error={errorOf('notification_email')}
          onInput={(notification_email) => onChange({ notification_email })}
        />
      </div>
      <TextArea
        name="description"
        label="Note"
        rows={3}
        value={draft.description}
        error={errorOf('description')}
        onInput={(description) => onChange({ description })}
      />
      <MetadataField
        rows={draft.metadata}
        hint="Your own names and values, such as the product in your billing system. Events have them."
        error={errorOf('metadata')}
        onInput={(metadata) => onChange({ metadata })}
      />
    </section>
  );
}
