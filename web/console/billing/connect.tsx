import { type BillingConnection, etagOf } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { useSession } from '../shell/session';
import { Dialog } from '../ui/dialog';
import { Select, TextField } from '../ui/field';
import { text, useForm } from '../ui/form';
import { FormEnd } from '../ui/form-end';
import { toast } from '../ui/toast';
import { MODES, PRORATIONS, UNPAID } from './connection';

const FIELDS = ['api_key', 'account', 'mode', 'proration', 'unpaid_on_cancel', 'webhook_secret'];

interface ConnectProps {
  /** The one that is changed. */
  connection: BillingConnection | null;
  /** The mode to begin with, if it is another than that of the connection. */
  mode?: BillingConnection['mode'] | undefined;
  onConnected: () => Promise<void>;
  onClose: () => void;
}

function titleOf(connection: BillingConnection | null, first: ConnectProps['mode']): string {
  if (first === 'live') return 'Let Stripe carry out what customers decide';
  return connection ? 'Change the connection' : 'Connect Stripe';
}

function verbOf(connection: BillingConnection | null, mode: BillingConnection['mode']): string {
  if (!connection) return 'Connect';
  return mode === 'live' && connection.mode !== 'live' ? 'Go live' : 'Save';
}

/** Asks for a key of Stripe, and what to do with it. Secrets that are there stay, unless others are typed. */
export function Connect({ connection, mode: first, onConnected, onClose }: ConnectProps) {
  const { client } = useSession();
  const [mode, setMode] = useState(first ?? connection?.mode ?? 'dry_run');
  const [proration, setProration] = useState(connection?.proration ?? 'create_prorations');
  const [unpaid, setUnpaid] = useState(connection?.unpaid_on_cancel ?? 'leave');
  const [account, setAccount] = useState(connection?.account ?? '');
  const form = useForm(async (fields) => {
    const [api_key, webhook_secret] = ['api_key', 'webhook_secret'].map((name) => text(fields, name));
    const changes = {
      ...(connection ? {} : { provider: 'stripe' as const }),
      ...((api_key || !connection) && { api_key }),
      ...(webhook_secret && { webhook_secret }),
      mode,
      proration,
      unpaid_on_cancel: unpaid,
      // Another account is tried at Stripe.
      ...((account || null) !== (connection?.account ?? null) && { account: account || null }),
    };
    await client.billing.connect(changes, connection ? { ifMatch: etagOf(connection) } : {});
    await onConnected();
    toast(connection ? 'The connection is saved.' : 'Stripe is connected. It accepted the key.');
    onClose();
  });
  return (
    <Dialog title={titleOf(connection, first)} isHeld={form.isBusy} onClose={onClose}>
      <form onSubmit={form.run} noValidate>
        {connection && mode === 'live' && !connection.is_live && (
          <p class="notice warning">
            The key that is stored is for Stripe’s test mode: no real subscription is changed with it.
          </p>
        )}
        <TextField
          name="api_key"
          label="Restricted key"
          type="password"
          placeholder="rk_…"
          maxLength={255}
          error={form.errorOf('api_key')}
          hint={
            connection
              ? 'Empty: the key stays as it is. Another one is tried at Stripe before it is stored.'
              : 'Make it in Stripe under Developers, API keys, with Subscriptions: write, Coupons: write, Invoices, Customers, Prices and Products: read. For plans that change at the end of the period, Subscription schedules: write. It is tried at Stripe, stored encrypted, and never shown again.'
          }
        />
        <Select
          name="mode"
          label="Mode"
          options={MODES}
          value={mode}
          error={form.errorOf('mode')}
          hint="Begin with the dry run: each session shows the exact request, and Stripe gets none."
          onInput={(mode) => setMode(mode as (typeof MODES)[0][0])}
        />
        <Select
          name="proration"
          label="When a plan changes"
          options={PRORATIONS}
          value={proration}
          error={form.errorOf('proration')}
          onInput={(proration) => setProration(proration as (typeof PRORATIONS)[0][0])}
        />
        <Select
          name="unpaid_on_cancel"
          label="An open invoice of a customer who cancels"
          options={UNPAID}
          value={unpaid}
          error={form.errorOf('unpaid_on_cancel')}
          hint="To void it, the key needs Invoices: write."
          onInput={(unpaid) => setUnpaid(unpaid as (typeof UNPAID)[0][0])}
        />
        <TextField
          name="account"
          label="Connected account"
          placeholder="acct_…"
          maxLength={255}
          value={account}
          error={form.errorOf('account')}
          hint="Only for the key of a platform: whose subscriptions they are. Empty: those of the key’s own account."
          onInput={(account) => setAccount(account.trim())}
        />
        {connection && (
          <TextField
            name="webhook_secret"
            label="Signing secret of Stripe's webhook"
            type="password"
            placeholder="whsec_…"
            maxLength={255}
            error={form.errorOf('webhook_secret')}
            hint={connection.has_webhook_secret ? 'Empty: it stays as it is.' : 'With it, payments are known at once.'}
          />
        )}
        <FormEnd form={form} fields={FIELDS} verb={verbOf(connection, mode)} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
