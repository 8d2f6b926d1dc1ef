import type { Audience } from '@retention-flow/client';
import type { ConditionContext } from '../flows/edit/condition-row';
import { useSeen } from '../flows/edit/use-seen';
import { useSession } from '../shell/session';
import { useLoading } from '../ui/loading';

/** What conditions outside of a flow can be about. */
export function useConditionContext(audiences: Audience[] = []): ConditionContext {
  const { client } = useSession();
  const seen = useSeen();
  const offers = useLoading(async (signal) => {
    const { offers } = await client.offers.list({ status: 'active', limit: 500 }, { signal });
    return new Map(offers.map((offer) => [offer.id, offer]));
  }, []);
  return { surveys: [], pages: [], seen, offers: offers.value ?? new Map(), audiences };
}
