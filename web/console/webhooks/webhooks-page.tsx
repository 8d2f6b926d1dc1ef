import type { CreatedWebhook, Webhook } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { href } from '../shell/route';
import { OwnersOnly } from '../shell/owners-only';
import { useSession } from '../shell/session';
import { Badge } from '../ui/badge';
import { Empty } from '../ui/empty';
import { Loaded, useLoading } from '../ui/loading';
import { Page } from '../ui/page';
import { Secret } from '../ui/secret';
import { Time } from '../ui/time';
import { Table } from '../ui/table';
import { NewWebhook } from './new-webhook';
import { eventsInWords, NAMES } from './webhook-fields';

/** A workspace has at most ten, so they are read at once. */
export function WebhooksPage() {
  const { client, isOwner } = useSession();
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<CreatedWebhook & Pick<Webhook, 'format'>>();
  const loading = useLoading(async (signal) => (await client.webhooks.list({}, { signal })).webhooks, []);
  const add = (webhook: CreatedWebhook, format: Webhook['format']) => {
    setIsCreating(false);
    setCreated({ ...webhook, format });
    void loading.reload();
  };
  const newWebhook = isOwner && (
    <button type="button" class="primary" onClick={() => setIsCreating(true)}>
      New webhook
    </button>
  );
  return (
    <Page title="Webhooks" actions={loading.value?.length !== 0 && newWebhook}>
      <OwnersOnly what="webhooks" />
      {created && (
        <section class="card" aria-label="The new webhook" role="status">
          {created.format === 'standard' ? (
            <>
              <p>
                <a href={href(`/webhooks/${created.id}`)}>{created.url}</a> is created. Copy its secret now: it is shown
                only this once. Your endpoint verifies with it what it gets.
              </p>
              <Secret label="Secret" value={created.secret} />
            </>
          ) : (
            <p>
              <a href={href(`/webhooks/${created.id}`)}>{NAMES[created.format]}</a> is created. Open it to send a test.
            </p>
          )}
        </section>
      )}
      <Loaded loading={loading}>
        {(webhooks) =>
          webhooks.length === 0 ? (
            <Empty title="No webhooks yet">
              <p>A webhook tells your backend who stays and who leaves, a moment after it happens.</p>
              {newWebhook}
            </Empty>
          ) : (
            <WebhookTable webhooks={webhooks} />
          )
        }
      </Loaded>
      {isCreating && <NewWebhook onCreated={add} onClose={() => setIsCreating(false)} />}
    </Page>
  );
}

function WebhookTable({ webhooks }: { webhooks: Webhook[] }) {
  return (
    <Table
      label="Webhooks"
      caption="Webhooks"
      class="webhooks"
      columns={['Webhook', 'Events', 'Status', 'Last failure']}
    >
      <tbody>
        {webhooks.map((webhook) => (
          <tr key={webhook.id}>
            <td class="webhook-url">
              <a href={href(`/webhooks/${webhook.id}`)}>{NAMES[webhook.format] ?? webhook.url}</a>
              {(webhook.description || NAMES[webhook.format]) && (
                <div class="soft">{webhook.description || webhook.url}</div>
              )}
            </td>
            <td class="soft">{eventsInWords(webhook.event_types)}</td>
            <td>
              <Badge status={webhook.status} />
            </td>
            <td>
              <LastFailure webhook={webhook} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function LastFailure({ webhook: { disabled_reason, failing_since } }: { webhook: Webhook }) {
  if (disabled_reason !== null) return <>{disabled_reason}</>;
  if (failing_since === null) return <>–</>;
  return (
    <>
      Failing since <Time value={failing_since} />
    </>
  );
}
