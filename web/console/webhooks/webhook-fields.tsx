import type { Webhook } from '@retention-flow/client';
import { Select, TextField } from '../ui/field';
import type { Form } from '../ui/form';
import { WhenFields } from '../audiences/when-fields';
import { EVENT_SUMMARIES, SUBSCRIBABLE_TYPES, type SubscribableType } from '../../../src/outbox/event-types';

/** A webhook while it is being written. */
export type WebhookDraft = Pick<Webhook, 'format' | 'url' | 'description' | 'event_types' | 'when' | 'test_events'> & {
  /** '' keeps the one that is stored. */
  write_key: string;
};

export const WEBHOOK_FIELDS = ['format', 'url', 'write_key', 'description', 'event_types', 'when', 'test_events'];

const FORMATS: [Webhook['format'], string][] = [
  ['standard', 'Your own endpoint'],
  ['slack', 'A channel of Slack'],
  ['segment', 'A source of Segment'],
];

/** What is asked of each. */
const URLS = {
  standard: {
    placeholder: 'https://acme.example/webhooks/retention',
    hint: "It gets each event by POST, signed with the webhook's secret. Zapier, Make and n8n take events this way, too.",
  },
  slack: {
    placeholder: 'https://hooks.slack.com/services/…',
    hint: 'Slack gives it: create an app for your workspace, turn on Incoming Webhooks and add one to a channel. Only its host is shown again.',
  },
  segment: {
    placeholder: 'https://api.segment.io/v1/track',
    hint: 'https://api.segment.io/v1/track, or in the EU https://events.eu1.segmentapis.com/v1/track.',
  },
};

/** The name of what gets the events, if it is not an endpoint of one's own. */
export const NAMES: Partial<Record<Webhook['format'], string>> = { slack: 'Slack', segment: 'Segment' };

/** The events that a webhook gets, in a line. */
export function eventsInWords(types: Webhook['event_types']): string {
  return types.length === 0 ? 'All but session.started' : types.join(', ');
}

interface WebhookFieldsProps {
  draft: WebhookDraft;
  form: Form;
  /** Whether a write key is stored. */
  hasKey?: boolean;
  onInput: (draft: WebhookDraft) => void;
}

export function WebhookFields({ draft, form, hasKey = false, onInput }: WebhookFieldsProps) {
  const choose = (type: SubscribableType, isChosen: boolean) => {
    const others = draft.event_types.filter((one) => one !== type);
    onInput({ ...draft, event_types: isChosen ? [...others, type] : others });
  };
  const wrong = form.errorOf('event_types');
  return (
    <>
      <Select
        name="format"
        label="Who gets the events"
        options={FORMATS}
        value={draft.format}
        error={form.errorOf('format')}
        onInput={(format) => onInput({ ...draft, format: format as Webhook['format'], url: '' })}
      />
      <TextField
        name="url"
        label="URL"
        type="url"
        required
        maxLength={2048}
        placeholder={URLS[draft.format].placeholder}
        hint={URLS[draft.format].hint}
        value={draft.url}
        error={form.errorOf('url')}
        onInput={(url) => onInput({ ...draft, url })}
      />
      {draft.format === 'segment' && (
        <TextField
          name="write_key"
          label="Write key"
          type="password"
          required={!hasKey}
          maxLength={200}
          hint={
            hasKey
              ? 'It is not shown again. Leave the field empty to keep it.'
              : 'Of the source, under API Keys. It is not shown again. Segment confirms a wrong key, too: look into its debugger.'
          }
          value={draft.write_key}
          error={form.errorOf('write_key')}
          onInput={(write_key) => onInput({ ...draft, write_key })}
        />
      )}
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
      <WhenFields
        when={draft.when}
        legend="Events of customers for whom"
        hint="They hold of no event without a session, such as a flow that is published."
        name="the webhook"
        error={form.errorOf('when')}
        onInput={(when) => onInput({ ...draft, when })}
      />
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
