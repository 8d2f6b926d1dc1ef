import { useState } from 'preact/hooks';
import { useSession } from '../shell/session';
import { Confirm } from '../ui/dialog';
import { count, counted } from '../ui/format';
import { useLoading } from '../ui/loading';
import { toast } from '../ui/toast';

/** After going live: what the dry run wrote down is carried out when an owner says so. */
export function CarryOut({ onDone }: { onDone: () => unknown }) {
  const { client } = useSession();
  const waiting = useLoading(
    (signal) => client.fulfilments.carryOut({ state: 'dry_run' }, { dry_run: true }, { signal }),
    [],
  );
  const [isAsked, setAsked] = useState(false);
  const carryOut = async () => {
    let done = 0;
    try {
      for (let left = 1; left > 0;) {
        const answer = await client.fulfilments.carryOut({ state: 'dry_run' });
        done += answer.carried_out;
        left = answer.left;
      }
    } finally {
      if (done > 0) toast(`${counted(done, 'decision is', 'decisions are')} carried out in a moment.`);
      await waiting.reload();
      await onDone();
    }
  };
  if (!waiting.value?.carried_out) return null;
  const all = waiting.value.carried_out + waiting.value.left;
  return (
    <div class="notice warning">
      <p>
        {counted(all, 'decision', 'decisions')} of the dry run {all === 1 ? 'was' : 'were'} not carried out. Look at{' '}
        {all === 1 ? 'it' : 'them'} first: some may be old.
      </p>
      <button type="button" class="quiet small" onClick={() => setAsked(true)}>
        {all === 1 ? 'Carry it out' : `Carry out all ${count(all)}`}
      </button>
      {isAsked && (
        <Confirm
          title={`Carry out ${counted(all, 'decision')} of the dry run?`}
          verb="Carry out now"
          onConfirm={carryOut}
          onClose={() => setAsked(false)}
        >
          <p>
            Stripe changes the subscriptions, and ends those of customers who canceled. What customers decided long ago
            may not be what they want now.
          </p>
        </Confirm>
      )}
    </div>
  );
}
