import { ApiError, type BillingConnection } from '@retention-flow/client';
import { readConnection } from '../billing/connection';
import { href } from '../shell/route';
import { useSession } from '../shell/session';
import { Select, TextField } from '../ui/field';
import { useLoading } from '../ui/loading';
import { type Chosen, choicesOf, INTERVAL_NAMES } from './subscription';

interface SubscriptionFieldsProps {
  /** undefined until it is read; null if there is none. */
  connection: BillingConnection | null | undefined;
  chosen: Chosen;
  onChange: (chosen: Chosen) => void;
}

export function useConnection(): BillingConnection | null | undefined {
  const { client } = useSession();
  return useLoading((signal) => readConnection(client, signal), []).value;
}

/** Chooses whose subscription a preview is as: one of Stripe, for those who may edit, or a made-up one. */
export function SubscriptionFields({ connection, chosen, onChange }: SubscriptionFieldsProps) {
  const { client, mayWrite } = useSession();
  const isListed = Boolean(connection) && mayWrite;
  const { value: listed } = useLoading(
    async (signal) => {
      if (!isListed) return undefined;
      try {
        return await client.billing.subscriptions({ signal });
      } catch (error) {
        // Without them, one can be made up.
        if (error instanceof ApiError) return undefined;
        throw error;
      }
    },
    [isListed],
  );
  const set = (name: keyof Chosen) => (value: string) => onChange({ ...chosen, [name]: value });
  if (connection === undefined) return null;
  if (connection === null)
    return (
      <p class="hint">
        <a href={href('/settings')}>Connect Stripe</a> to fill in prices, and to read what an offer would do.
      </p>
    );
  return (
    <>
      <Select
        name="subscription"
        label="Subscription"
        options={choicesOf(listed)}
        value={chosen.choice}
        onInput={set('choice')}
      />
      {chosen.choice === 'other' && (
        <TextField
          name="subscription-id"
          label="Id of the subscription"
          placeholder="sub_…"
          required
          maxLength={200}
          value={chosen.id}
          onInput={set('id')}
        />
      )}
      {chosen.choice === 'made_up' && (
        <>
          <TextField
            name="subscription-amount"
            label="Price"
            type="number"
            min={0}
            step="any"
            required
            value={chosen.amount}
            onInput={set('amount')}
          />
          <TextField
            name="subscription-currency"
            label="Currency"
            maxLength={3}
            required
            value={chosen.currency}
            onInput={set('currency')}
          />
          <Select
            name="subscription-interval"
            label="Paid each"
            options={INTERVAL_NAMES}
            value={chosen.interval}
            onInput={set('interval')}
          />
        </>
      )}
    </>
  );
}
