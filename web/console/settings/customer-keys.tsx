import type { CustomerKey } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { useSession } from '../shell/session';
import { Confirm } from '../ui/dialog';
import { Empty } from '../ui/empty';
import { MoreOf, usePages } from '../ui/pages';
import { Time } from '../ui/time';
import { toast } from '../ui/toast';
import { Table } from '../ui/table';
import { NewCustomerKey } from './new-customer-key';
import { Opened } from './opened';

export function CustomerKeys() {
  const { client, isOwner } = useSession();
  const list = usePages(async (cursor, signal) => {
    const { customer_keys, next_cursor } = await client.customerKeys.list({ cursor, limit: 50 }, { signal });
    return { items: customer_keys, next_cursor };
  }, []);
  const [isCreating, setIsCreating] = useState(false);
  const [deleted, setDeleted] = useState<CustomerKey>();
  const keys = list.pages.flat();

  const remove = async ({ id, name }: CustomerKey) => {
    await client.customerKeys.delete(id);
    toast(`${name} is deleted.`);
    list.reload();
  };

  return (
    <section class="settings-section" aria-labelledby="customer-keys-heading">
      <div class="card-head">
        <div>
          <h2 id="customer-keys-heading">Customer keys</h2>
          <p class="soft">Your backend signs with one who a customer is, so that nobody answers as somebody else.</p>
        </div>
        {isOwner && (
          <button type="button" class="quiet" onClick={() => setIsCreating(true)}>
            New customer key
          </button>
        )}
      </div>
      <Opened section="customer-keys" isReady={!list.isLoading} />
      {keys.length === 0 && !list.isLoading && list.error === undefined && (
        <Empty title="No customer keys yet">
          <p>Without one, a page says who the customer is, and its reader can change that.</p>
        </Empty>
      )}
      {keys.length > 0 && (
        <Table
          label="Table of customer keys"
          caption="Customer keys, newest first"
          columns={['Key', 'Algorithm', 'Created', isOwner && { name: 'Change', isUnseen: true }]}
        >
          <tbody>
            {keys.map((key) => (
              <tr key={key.id}>
                <td class="named">
                  {key.name}
                  <code class="soft">{key.id}</code>
                </td>
                <td>{key.algorithm}</td>
                <td class="short">
                  <Time value={key.created_at} />
                </td>
                {isOwner && (
                  <td>
                    <button
                      type="button"
                      class="quiet small"
                      aria-label={`Delete ${key.name}`}
                      onClick={() => setDeleted(key)}
                    >
                      Delete
                    </button>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <MoreOf list={list} />
      {isCreating && <NewCustomerKey onCreated={list.reload} onClose={() => setIsCreating(false)} />}
      {deleted && (
        <Confirm
          title="Delete this customer key?"
          verb="Delete"
          isDangerous
          onConfirm={() => remove(deleted)}
          onClose={() => setDeleted(undefined)}
        >
          <p class="named">
            <strong>{deleted.name}</strong> <code>{deleted.id}</code>
          </p>
          <p>
            Tokens that it signed are refused at once: customers on pages with one go to the cancellation page. This
            cannot be undone.
          </p>
        </Confirm>
      )}
    </section>
  );
}
