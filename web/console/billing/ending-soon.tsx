import { effectSentence } from '../../../src/sessions/effect-sentence';
import { href } from '../shell/route';
import { useSession } from '../shell/session';
import { ANONYMOUS } from '../sessions/words';
import { useLoading } from '../ui/loading';

const DAYS = 14;
const SHOWN = 10;

/** What customers accepted and ends in the next days: then they pay more again, and may come back to cancel. */
export function EndingSoon() {
  const { client } = useSession();
  const ending = useLoading((signal) => {
    const ending_before = new Date(Date.now() + DAYS * 24 * 60 * 60 * 1000).toISOString();
    return client.fulfilments.list({ ending_before, limit: SHOWN }, { signal });
  }, []);
  if (!ending.value?.fulfilments.length) return null;
  return (
    <section class="card" aria-labelledby="ending-soon">
      <h2 id="ending-soon">Ending soon</h2>
      <p class="soft">
        Within {DAYS} days{ending.value.next_cursor === null ? '' : `, the first ${SHOWN}`}. Then these customers pay as
        before.
      </p>
      <ul>
        {ending.value.fulfilments.map(({ session_id, customer_id, effect }) => (
          <li key={session_id}>
            <a href={href(`/sessions/${session_id}`)}>{customer_id ?? ANONYMOUS}</a>: {effect && effectSentence(effect)}
          </li>
        ))}
      </ul>
    </section>
  );
}
