import { ApiError, type Offer, type OfferDraft, type RetentionFlow } from '@retention-flow/client';
import { offersIn } from '../../preview/choices';
import type { PageProps } from '../../shell/pages';
import { href } from '../../shell/route';
import { useSession } from '../../shell/session';
import { Loaded, useLoading } from '../../ui/loading';
import { Page } from '../../ui/page';
import { orNull } from '../../versions/or-null';
import { readDraft } from '../read-draft';

/** A flow in its languages, side by side. */
export function LanguagesPage({ params: { id } }: PageProps) {
  const { client } = useSession();
  const loading = useLoading(
    async (signal) => {
      const [{ LanguagesEditor }, flow, draft] = await Promise.all([
        import('../edit/editor'),
        client.flows.get(id, { signal }),
        readDraft(client, id, signal),
      ]);
      const offers = await readOffers(client, offersIn((draft ?? flow).definition), signal);
      return { LanguagesEditor, flow, draft, offers };
    },
    [id],
  );
  const name = loading.value?.flow.name ?? 'Flow';
  return (
    <Page title={`Languages of ${name}`} above={{ href: href(`/flows/${id}`), name }}>
      <Loaded loading={loading}>
        {({ LanguagesEditor, flow, draft, offers }) => <LanguagesEditor flow={flow} draft={draft} offers={offers} />}
      </Loaded>
    </Page>
  );
}

/** Those that are still there, with their drafts. */
async function readOffers(
  client: RetentionFlow,
  ids: string[],
  signal: AbortSignal,
): Promise<{ offer: Offer; draft: OfferDraft | null }[]> {
  const offers = await Promise.all(
    ids.map((id) =>
      client.offers.get(id, { signal }).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return undefined;
        throw error;
      }),
    ),
  );
  const active = offers.flatMap((offer) => (offer?.status === 'active' ? [offer] : []));
  return Promise.all(
    active.map(async (offer) => ({ offer, draft: await orNull(client.offers.draft(offer.id, { signal })) })),
  );
}
