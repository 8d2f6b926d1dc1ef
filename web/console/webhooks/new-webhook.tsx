import type { CreatedWebhook, Webhook } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { useSession } from '../shell/session';
import { Dialog } from '../ui/dialog';
import { useForm } from '../ui/form';
import { FormProblem } from '../ui/form-problem';
import { WEBHOOK_FIELDS, type WebhookDraft, WebhookFields } from './webhook-fields';

interface NewWebhookProps {
  onCreated: (webhook: CreatedWebhook, format: Webhook['format']) => void;
  onClose: () => void;
}

export function NewWebhook({ onCreated, onClose }: NewWebhookProps) {
  const { client } = useSession();
  const [draft, setDraft] = useState<WebhookDraft>({
    format: 'standard',
    url: '',
    write_key: '',
    description: '',
    event_types: [],
    when: null,
    test_events: false,
  });
  const form = useForm(async () => {
    const { write_key, ...others } = draft;
    const keyed = { ...others, ...(draft.format === 'segment' && { write_key }) };
    onCreated(await client.webhooks.create(keyed), draft.format);
  });
  return (
    <Dialog title="New webhook" isHeld={form.isBusy} onClose={onClose}>
      <form onSubmit={form.run}>
        <WebhookFields draft={draft} form={form} onInput={setDraft} />
        <FormProblem form={form} fields={WEBHOOK_FIELDS} />
        <div class="actions">
          <button type="button" class="quiet" disabled={form.isBusy} onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary">
            {form.isBusy ? 'Creating …' : 'Create webhook'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
