import type { Fulfilment, SessionListItem } from '@retention-flow/client';
import { effectSentence } from '../../../src/sessions/effect-sentence';
import { useSession } from '../shell/session';
import { useAction } from '../ui/action';
import { messageOf } from '../ui/problem';
import { Time } from '../ui/time';
import { toast } from '../ui/toast';

/** What became of it in the billing system, in words. */
export const STATES: Record<Fulfilment['state'], string> = {
  none: 'Billing has nothing to do.',
  pending: 'Billing does it in a moment, or tries again.',
  applied: 'Done.',
  dry_run: 'Dry run: this would be done in Stripe, and was not.',
  manual: 'A person has to do it.',
  failed: 'Stripe refused it.',
};

/** The request as the documentation of Stripe writes it: for those who know it. */
function Request({ text }: { text: string }) {
  return (
    <details>
      <summary>The request</summary>
      <pre tabIndex={0}>{text}</pre>
    </details>
  );
}

interface FulfilmentProps {
  session: Pick<SessionListItem, 'id' | 'fulfilment'>;
  onChange: () => unknown;
}

/** What billing did for a session; if a person has to do it: what, why, where, and what to press then. */
export function FulfilmentWords({ session, onChange }: FulfilmentProps) {
  const { client, isOwner } = useSession();
  const { state, at, detail, url, effect, carried_out_by } = session.fulfilment;
  const act = useAction(async (action: 'retry' | 'done') => {
    await client.sessions.fulfil(session.id, { action });
    toast(action === 'done' ? 'Noted as done.' : 'It is tried again.');
    await onChange();
  });
  const isOpen = state === 'manual' || state === 'failed' || state === 'dry_run';
  return (
    <div class="fulfilment">
      <p>
        {STATES[state]}{' '}
        {at !== null && (
          <span class="soft">
            <Time value={at} />
          </span>
        )}
      </p>
      {effect && <p>{effectSentence(effect)}</p>}
      {detail !== null && (state === 'dry_run' && effect ? <Request text={detail} /> : <p>{detail}</p>)}
      {carried_out_by === 'person' && <p class="soft">The customer reads that somebody takes care of it.</p>}
      {act.error !== undefined && (
        <p class="notice error" role="alert">
          {messageOf(act.error)}
        </p>
      )}
      <div class="actions">
        {url !== null && (
          <a class="quiet small" href={url} target="_blank" rel="noopener noreferrer">
            Open in Stripe
          </a>
        )}
        {isOwner && isOpen && (
          <>
            <button type="button" class="quiet small" disabled={act.isBusy} onClick={() => act.run('retry')}>
              Try again
            </button>
            <button type="button" class="quiet small" disabled={act.isBusy} onClick={() => act.run('done')}>
              Done by hand
            </button>
          </>
        )}
      </div>
    </div>
  );
}
