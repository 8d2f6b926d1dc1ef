import type { Webhook } from '@retention-flow/client';
import { Time } from '../ui/time';

/** What is wrong with a webhook, and what to do about it. */
export function WebhookHealth({ webhook: { status, disabled_reason, failing_since } }: { webhook: Webhook }) {
  if (status === 'disabled') {
    return (
      <div class="notice warning">
        <p>{disabled_reason === null ? 'This webhook is disabled.' : `The service disabled it: ${disabled_reason}`}</p>
        <p>Nothing but tests is sent. Events are recorded: once it is enabled, it can be sent what it has missed.</p>
      </div>
    );
  }
  if (failing_since === null) return null;
  return (
    <p class="notice warning">
      Every attempt since <Time value={failing_since} /> has failed. If this goes on for 120 hours, the service disables
      the webhook.
    </p>
  );
}
