import type { Webhook } from '@retention-flow/client';
import { TextField } from '../ui/field';
import type { Form } from '../ui/form';
import { EVENT_SUMMARIES, SUBSCRIBABLE_TYPES, type SubscribableType } from '../../../src/events/outbox/event-types';

/** A webhook while it is being written. */
export type WebhookDraft = Pick<Webhook, 'url' | 'description' | 'event_types' | 'test_events'>;

export const WEBHOOK_FIELDS = ['url', 'description', 'event_types', 'test_events'];

/** The events that a webhook gets, in a line. */
export function eventsInWords(types: Webhook['event_types']): string {
  return types.length === 0 ? 'All but session.started' : types.join(', ');
}

interface WebhookFieldsProps {
  draft: WebhookDraft;
  form: Form;
  onInput: (draft: WebhookDraft) => void;
}

export function WebhookFields({ draft, form, onInput }: WebhookFieldsProps) {
  const choose = (type: SubscribableType, isChosen: boolean) => {
    const others = draft.event_types.filter((one) => one !== type);
    onInput({ ...draft, event_types: isChosen ? [...others, type] : others });
  };
  const wrong = form.errorOf('event_types');
  return (
    <>
      <TextField
        name="url"
        label="URL"
        type="url"
        required
        maxLength={2048}
        placeholder="https://acme.example/webhooks/retention"
        hint="Your endpoint. It gets each event by POST, signed with the webhook's secret."
        value={draft.url}
        error={form.errorOf('url')}
        onInput={(url) => onInput({ ...draft, url })}
      />
      <TextField
        name="description"
        label="Description"
        maxLength={5000}
        placeholder="Tells our billing system who stays"
        value={draft.description}
        error={form.errorOf('description')}
        onInput={(description) => onInput({ ...draft, description })}
      />
      <fieldset id="event_types" tabIndex={-1} aria-describedby="event_types-about">
        <legend>Events</legend>
        <div class="event-types">
          {SUBSCRIBABLE_TYPES.map((type) => (
            <label key={type} class="event-type">
              <input
                type="checkbox"
                checked={draft.event_types.includes(type)}
                aria-label={type}
                aria-describedby={`when-${type}`}
                onChange={(event) => choose(type, event.currentTarget.checked)}
              />
              <span>
                {type}
                <span id={`when-${type}`} class="hint">
                  {EVENT_SUMMARIES[type]}.
                </span>
              </span>
            </label>
          ))}
        </div>
        <div id="event_types-about" class="about">
          {wrong !== undefined && <span class="wrong">{wrong}</span>}
          <span class="hint">If you choose none, it gets all but session.started.</span>
        </div>
      </fieldset>
      <div>
        <label class="check">
          <input
            id="test_events"
            type="checkbox"
            checked={draft.test_events}
            onChange={(event) => onInput({ ...draft, test_events: event.currentTarget.checked })}
          />
          Also send test events of previews
        </label>
      </div>
    </>
  );
}
