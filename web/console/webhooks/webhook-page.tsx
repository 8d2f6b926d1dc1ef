import { etagOf, type UpdateWebhook, type Webhook } from '@retention-flow/client';
import { useEffect, useState } from 'preact/hooks';
import type { PageProps } from '../shell/pages';
import { href, navigate } from '../shell/route';
import { useSession } from '../shell/session';
import { useAction } from '../ui/action';
import { Badge } from '../ui/badge';
import { Confirm } from '../ui/dialog';
import { Loaded, useLoading } from '../ui/loading';
import { Page } from '../ui/page';
import { usePages } from '../ui/pages';
import { Problem } from '../ui/problem';
import { Time } from '../ui/time';
import { toast } from '../ui/toast';
import { Deliveries, deliveryStatus } from './deliveries';
import { ofTest, outcomeOf } from './outcome';
import { Recover } from './recover';
import { WebhookSecret } from './webhook-secret';
import { WebhookFacts, WebhookSettings } from './webhook-settings';

export function WebhookPage({ params: { id }, query }: PageProps) {
  const { client, isOwner } = useSession();
  const status = deliveryStatus(query);
  const [asked, setAsked] = useState<'delete' | 'recover'>();
  const [tested, setTested] = useState<ReturnType<typeof ofTest>>();
  const loading = useLoading((signal) => client.webhooks.get(id, { signal }), [id]);
  const list = usePages(
    async (cursor, signal) => {
      const page = await client.webhooks.deliveries(id, { status, cursor, limit: 50 }, { signal });
      return { items: page.deliveries, next_cursor: page.next_cursor };
    },
    [id, status],
  );
  const [leaving] = useState(() => new AbortController());
  useEffect(() => () => leaving.abort(), []);

  /** Shows what was just sent at once, and again when it has arrived or not. */
  const follow = async (eventId: string) => {
    list.reload();
    const outcome = await outcomeOf(client, eventId, id, leaving.signal);
    list.reload();
    await loading.reload();
    return outcome;
  };
  const test = useAction(async () => {
    setTested(undefined);
    const { event_id } = await client.webhooks.test(id);
    setTested(ofTest(await follow(event_id)));
  });
  const update = async (changes: UpdateWebhook) => {
    await client.webhooks.update(id, changes, { ifMatch: etagOf(loading.value!) });
    await loading.reload();
  };
  const toggle = useAction(async ({ status }: Webhook) => {
    await update({ status: status === 'enabled' ? 'disabled' : 'enabled' });
    toast(status === 'enabled' ? 'The webhook is disabled.' : 'The webhook is enabled.');
  });
  const remove = async () => {
    await client.webhooks.delete(id, { ifMatch: etagOf(loading.value!) });
    toast('The webhook is deleted.');
    navigate('/webhooks');
  };

  const webhook = loading.value;
  const actions = isOwner && webhook && (
    <>
      <button type="button" class="primary" onClick={() => test.run()}>
        {test.isBusy ? 'Testing …' : 'Send a test'}
      </button>
      <button type="button" class="quiet" onClick={() => toggle.run(webhook)}>
        {webhook.status === 'enabled' ? 'Disable' : 'Enable'}
      </button>
      <button type="button" class="quiet" onClick={() => setAsked('delete')}>
        Delete
      </button>
    </>
  );
  const failure = test.error ?? toggle.error;
  return (
    <Page
      title="Webhook"
      above={{ href: href('/webhooks'), name: 'Webhooks' }}
      beside={webhook && <Badge status={webhook.status} />}
      actions={actions}
    >
      {failure !== undefined && <Problem error={failure} />}
      <div role="status" class="webhook-tested">
        {tested && <p class={`notice ${tested.isGood ? 'good' : 'error'}`}>{tested.sentence}</p>}
      </div>
      <Loaded loading={loading}>
        {(webhook) => (
          <>
            <p class="webhook-at">
              <code>{webhook.url}</code>
            </p>
            <WebhookHealth webhook={webhook} />
            <Deliveries
              webhookId={id}
              status={status}
              list={list}
              onRedelivered={(eventId) => void follow(eventId).catch(() => {})}
              onRecover={isOwner && webhook.status === 'enabled' ? () => setAsked('recover') : undefined}
            />
            {isOwner ? <WebhookSettings webhook={webhook} onSave={update} /> : <WebhookFacts webhook={webhook} />}
            {isOwner && webhook.format === 'standard' && <WebhookSecret id={id} />}
            {asked === 'recover' && (
              <Recover webhook={webhook} onRecovered={list.reload} onClose={() => setAsked(undefined)} />
            )}
          </>
        )}
      </Loaded>
      {asked === 'delete' && (
        <Confirm
          title="Delete this webhook?"
          verb="Delete"
          isDangerous
          onConfirm={remove}
          onClose={() => setAsked(undefined)}
        >
          <p>Nothing is sent to it any more, and its deliveries are deleted with it. This cannot be undone.</p>
        </Confirm>
      )}
    </Page>
  );
}

/** What is wrong with a webhook, and what to do about it. */
function WebhookHealth({ webhook: { status, disabled_reason, failing_since } }: { webhook: Webhook }) {
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
