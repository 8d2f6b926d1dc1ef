import type { Webhook } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { useSession } from '../shell/session';
import { Dialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { useForm } from '../ui/form';
import { FormProblem } from '../ui/form-problem';
import { counted } from '../ui/format';
import { toast } from '../ui/toast';
import { localTime } from '../ui/local-time';

interface RecoverProps {
  webhook: Webhook;
  onRecovered: () => void;
  onClose: () => void;
}

/** Asks since when, and sends what the webhook has not got. */
export function Recover({ webhook, onRecovered, onClose }: RecoverProps) {
  const { client } = useSession();
  const [since, setSince] = useState(webhook.failing_since === null ? '' : localTime(webhook.failing_since));
  const form = useForm(async () => {
    const { deliveries } = await client.webhooks.recover(webhook.id, { since: new Date(since).toISOString() });
    toast(deliveries === 0 ? 'Nothing was missed.' : `${counted(deliveries, 'event')} will be sent now.`);
    onRecovered();
    onClose();
  });
  return (
    <Dialog title="Send what was missed" isHeld={form.isBusy} onClose={onClose}>
      <form onSubmit={form.run}>
        <p>
          All events since then that this webhook asks for and has not got are sent: failed ones, and those that were
          never tried.
        </p>
        <TextField
          name="since"
          label="Since"
          type="datetime-local"
          required
          value={since}
          error={form.errorOf('since')}
          hint="In your time zone. Events are kept for 30 days, unless the operator chose another time."
          onInput={setSince}
        />
        <FormProblem form={form} fields={['since']} />
        <div class="actions">
          <button type="button" class="quiet" disabled={form.isBusy} onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary">
            Send
          </button>
        </div>
      </form>
    </Dialog>
  );
}
