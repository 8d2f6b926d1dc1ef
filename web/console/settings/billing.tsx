import { type BillingConnection, etagOf } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { Connect } from '../billing/connect';
import { MODES, nameIn, PRORATIONS, readConnection, UNPAID } from '../billing/connection';
import { href } from '../shell/route';
import { SERVICE, useSession } from '../shell/session';
import { Confirm } from '../ui/dialog';
import { Empty } from '../ui/empty';
import { Loaded, useLoading } from '../ui/loading';
import { Secret } from '../ui/secret';
import { Time } from '../ui/time';
import { Opened } from './opened';
import { toast } from '../ui/toast';

/** The connection to the billing system: what it does, and the way to change it. */
export function Billing() {
  const { client, isOwner } = useSession();
  const [asked, setAsked] = useState<'connect' | 'live' | 'disconnect'>();
  const loading = useLoading(async (signal) => {
    const [connection, { customer_keys }] = await Promise.all([
      readConnection(client, signal),
      client.customerKeys.list({ limit: 1 }, { signal }),
    ]);
    return { connection, hasCustomerKey: customer_keys.length > 0 };
  }, []);
  const connection = loading.value?.connection;
  const disconnect = async () => {
    await client.billing.disconnect({ ifMatch: etagOf(connection!) });
    toast('Stripe is disconnected.');
    await loading.reload();
  };
  return (
    <section class="settings-section" aria-labelledby="billing-heading">
      <div class="card-head">
        <div>
          <h2 id="billing-heading">Billing</h2>
          <p class="soft">
            Connected to Stripe, the service applies what signed customers accept, and cancels what flows let it cancel.
          </p>
        </div>
        {isOwner && connection !== undefined && (
          <div class="actions">
            {connection?.mode === 'dry_run' && (
              <button type="button" class="primary" onClick={() => setAsked('live')}>
                Go live
              </button>
            )}
            <button type="button" class="quiet" onClick={() => setAsked('connect')}>
              {connection ? 'Change the connection' : 'Connect Stripe'}
            </button>
            {connection && (
              <button type="button" class="quiet" onClick={() => setAsked('disconnect')}>
                Disconnect
              </button>
            )}
          </div>
        )}
      </div>
      <Loaded loading={loading}>
        {({ connection, hasCustomerKey }) => (
          <>
            <Opened section="billing" />
            {connection ? (
              <Facts connection={connection} hasCustomerKey={hasCustomerKey} />
            ) : (
              <Empty title="No billing system is connected">
                <p>A person applies accepted offers, or a program that gets webhooks.</p>
              </Empty>
            )}
          </>
        )}
      </Loaded>
      {(asked === 'connect' || asked === 'live') && connection !== undefined && (
        <Connect
          connection={connection}
          mode={asked === 'live' ? 'live' : undefined}
          onConnected={loading.reload}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked === 'disconnect' && (
        <Confirm
          title="Disconnect Stripe?"
          verb="Disconnect now"
          isDangerous
          onConfirm={disconnect}
          onClose={() => setAsked(undefined)}
        >
          <p>
            The key is forgotten here: delete it in Stripe, too. What is not done yet is left to a person, in the{' '}
            <a href={href('/billing')}>list of Billing</a>. What was applied stays.
          </p>
        </Confirm>
      )}
    </section>
  );
}

/** What is left to a person without a permission. */
const MISSING: Record<BillingConnection['missing_permissions'][number], string> = {
  customers_read: 'The key lacks Customers read: discounts are left to a person.',
  products_read: 'The key lacks Products read: branches can’t go by the plan.',
  prices_read: 'The key lacks Prices read: changes of a plan are left to a person.',
  subscriptions_write: 'The key lacks Subscriptions write: everything is left to a person.',
  invoices_write: 'The key lacks Invoices write: who cancels with an open invoice is left to a person.',
  schedules_write: 'The key lacks Subscription schedules write: a change of plan is left to a person.',
  coupons_write: 'The key lacks Coupons write: discounts are left to a person, unless they name a coupon of yours.',
};

interface FactsProps {
  connection: BillingConnection;
  hasCustomerKey: boolean;
}

function Facts({ connection, hasCustomerKey }: FactsProps) {
  const { isOwner } = useSession();
  const { mode, proration, last_four, is_live, is_readable, webhook_path, has_webhook_secret } = connection;
  const { attention, missing_permissions } = connection;
  return (
    <div class="card">
      {!is_readable && (
        <p class="notice error">
          The key can’t be read: ENCRYPTION_KEY of the service is another one than when the key was stored. Enter the
          key again, or have the operator set the former ENCRYPTION_KEY as PREVIOUS_ENCRYPTION_KEY.
        </p>
      )}
      {attention === 'key_refused' && (
        <p class="notice error">
          Stripe refuses the key. What customers decide waits, and is carried out once another key is entered here.
        </p>
      )}
      {attention === 'webhook_version' && (
        <p class="notice warning">
          Stripe’s webhook has another API version than this service reads, so some of what it says may be missed until
          the next day. Create the webhook again in Stripe, with the API version that the documentation of billing
          names, and enter its signing secret here.
        </p>
      )}
      {missing_permissions.length > 0 && (
        <p class="notice warning">
          {missing_permissions.map((permission) => MISSING[permission]).join(' ')} Give the key the permission in Stripe
          and enter it again.
        </p>
      )}
      {!hasCustomerKey && (
        <p class="notice warning">
          There is no customer key yet, so nobody can say whose subscription it is: every decision is left to a person.
          Make a customer key below, and have your backend sign with it who the customer is.
        </p>
      )}
      {mode === 'dry_run' && (
        <p class="notice warning">
          Dry run: nothing is sent to Stripe. The <a href={href('/billing', { state: 'dry_run' })}>requests</a> are
          written down.
        </p>
      )}
      <dl class="facts">
        <div>
          <dt>Key</dt>
          <dd>
            <code>
              rk_{is_live ? 'live' : 'test'}_…{last_four}
            </code>
            <div class="soft">{is_live ? 'For real money' : 'For Stripe’s test mode'}</div>
          </dd>
        </div>
        <div>
          <dt>Mode</dt>
          <dd>{nameIn(MODES, mode)}</dd>
        </div>
        <div>
          <dt>When a plan changes</dt>
          <dd>{nameIn(PRORATIONS, proration)}</dd>
        </div>
        <div>
          <dt>An open invoice of a customer who cancels</dt>
          <dd>{nameIn(UNPAID, connection.unpaid_on_cancel)}</dd>
        </div>
        {connection.account && (
          <div>
            <dt>Connected account</dt>
            <dd>
              <code>{connection.account}</code>
            </dd>
          </div>
        )}
        <div>
          <dt>Changed</dt>
          <dd>
            <Time value={connection.updated_at} />
          </dd>
        </div>
        <div>
          <dt>Payments and cancellations</dt>
          <dd>{has_webhook_secret ? 'Known at once, by Stripe’s webhook' : 'Read once a day'}</dd>
        </div>
      </dl>
      {isOwner && (
        <div>
          <Secret label="For a webhook in Stripe, which sends its events to" value={SERVICE + webhook_path} />
          <p class="hint">
            Events: customer.subscription.updated, customer.subscription.deleted and invoice.paid. Then enter its
            signing secret here.
          </p>
        </div>
      )}
    </div>
  );
}
