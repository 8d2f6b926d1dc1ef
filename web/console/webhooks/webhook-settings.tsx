import type { UpdateWebhook, Webhook } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { conditionWords } from '../flows/graph/condition-words';
import { useForm } from '../ui/form';
import { FormProblem } from '../ui/form-problem';
import { toast } from '../ui/toast';
import { shownUrlOf } from '../../../src/events/webhooks/shown-url';
import { eventsInWords, WEBHOOK_FIELDS, type WebhookDraft, WebhookFields } from './webhook-fields';

interface WebhookSettingsProps {
  webhook: Webhook;
  onSave: (changes: UpdateWebhook) => Promise<void>;
}

export function WebhookSettings({ webhook, onSave }: WebhookSettingsProps) {
  const { format, url, description, event_types, when, test_events } = webhook;
  const [draft, setDraft] = useState<WebhookDraft>({
    format,
    url,
    write_key: '',
    description,
    event_types,
    when,
    test_events,
  });
  // Not what is there now: what others change meanwhile is not changed back.
  const [before, setBefore] = useState(draft);
  const form = useForm(async () => {
    const changes: UpdateWebhook = {
      ...(draft.format !== before.format && { format: draft.format }),
      ...(draft.url !== before.url && { url: draft.url }),
      ...(draft.format === 'segment' && draft.write_key !== '' && { write_key: draft.write_key }),
      ...(draft.description !== before.description && { description: draft.description }),
      ...(inOrder(draft) !== inOrder(before) && { event_types: draft.event_types }),
      ...(JSON.stringify(draft.when) !== JSON.stringify(before.when) && { when: draft.when }),
      ...(draft.test_events !== before.test_events && { test_events: draft.test_events }),
    };
    if (Object.keys(changes).length === 0) return toast('Nothing has changed.');
    await onSave(changes);
    const saved = { ...draft, url: shownUrlOf(draft), write_key: '' };
    setBefore(saved);
    // What is secret is gone from the form. What is typed meanwhile stays.
    setDraft((now) => ({
      ...now,
      ...(now.url === draft.url && { url: saved.url }),
      ...(now.write_key === draft.write_key && { write_key: '' }),
    }));
    toast('The webhook is saved.');
  });
  return (
    <section class="card">
      <h2>Settings</h2>
      <form onSubmit={form.run}>
        <WebhookFields draft={draft} form={form} hasKey={before.format === 'segment'} onInput={setDraft} />
        <FormProblem form={form} fields={WEBHOOK_FIELDS} />
        <div class="actions">
          <button type="submit" class="primary">
            {form.isBusy ? 'Saving …' : 'Save'}
          </button>
        </div>
      </form>
    </section>
  );
}

/** The same, for a key that may only read. */
export function WebhookFacts({ webhook: { description, event_types, when } }: { webhook: Webhook }) {
  return (
    <section class="card">
      <h2>Settings</h2>
      <dl class="facts">
        <div>
          <dt>Description</dt>
          <dd>{description || '–'}</dd>
        </div>
        <div>
          <dt>Events</dt>
          <dd>{eventsInWords(event_types)}</dd>
        </div>
        {when && (
          <div>
            <dt>Only for customers with</dt>
            <dd>{conditionWords(when)}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}

function inOrder({ event_types }: WebhookDraft): string {
  return event_types.toSorted().join();
}
