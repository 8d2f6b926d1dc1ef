import type { OfferFlow } from '@retention-flow/client';
import { href } from '../shell/route';
import { useSession } from '../shell/session';
import { counted } from '../ui/format';
import { Loaded, useLoading } from '../ui/loading';

interface UsedByProps {
  offerId: string;
  /** What a change means for the flows, such as "which will pass over it". */
  meaning: string;
}

/** The flows that use an offer. */
export function UsedBy({ offerId, meaning }: UsedByProps) {
  const { client } = useSession();
  const loading = useLoading(
    async (signal) => {
      const flows: OfferFlow[] = [];
      for await (const flow of client.offers.flows(offerId, { limit: 500 }, { signal })) flows.push(flow);
      return flows;
    },
    [offerId],
  );
  return (
    <Loaded loading={loading}>
      {(flows) => (flows.length === 0 ? <p>No flow uses it.</p> : list(flows, meaning))}
    </Loaded>
  );
}

function list(flows: OfferFlow[], meaning: string) {
  return (
    <>
      <p>
        Used by {counted(flows.length, 'flow')}, {meaning}
      </p>
      <ul>
        {flows.map((flow) => (
          <li key={flow.id}>
            <a href={href(`/flows/${flow.id}`)}>{flow.name}</a> <span class="soft">{placeIn(flow)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function placeIn({ status, in_current_version, in_draft }: OfferFlow): string {
  const current = status === 'published' ? 'live' : 'not published';
  return [...(in_current_version ? [current] : []), ...(in_draft ? ['in its draft'] : [])].join(', ');
}
