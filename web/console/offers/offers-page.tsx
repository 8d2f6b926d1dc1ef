import type { ComponentChildren } from 'preact';
import type { PageProps } from '../shell/pages';
import { href, replace } from '../shell/route';
import { useSession } from '../shell/session';
import { Empty } from '../ui/empty';
import { Select } from '../ui/field';
import { useLoading } from '../ui/loading';
import { Page } from '../ui/page';
import { MoreOf, usePages } from '../ui/pages';
import { during, usualSpan } from '../ui/span';
import { numberColumn, Table } from '../ui/table';
import { offersOf } from '../overview/sums';
import { OfferRow } from './offer-row';

const STATUSES: [status: string, name: string][] = [
  ['active', 'Active'],
  ['archived', 'Archived'],
];

export function OffersPage({ query }: PageProps) {
  const { client, mayWrite } = useSession();
  const status = query.get('status') === 'archived' ? 'archived' : 'active';
  const list = usePages(
    async (cursor, signal) => {
      const { offers, next_cursor } = await client.offers.list({ status, cursor, limit: 50 }, { signal });
      return { items: offers, next_cursor };
    },
    [status],
  );
  const stats = useLoading(async (signal) => {
    const { flows } = await client.workspace.stats(during(usualSpan()), { signal });
    return new Map(offersOf(flows).map((offer) => [offer.id, offer]));
  }, []);
  const isEmpty = list.pages.every((page) => page.length === 0);
  const newOffer = mayWrite && (
    <a class="primary" href={href('/offers/new')}>
      New offer
    </a>
  );

  return (
    <Page title="Offers" actions={!isEmpty && newOffer}>
      <div class="filters">
        <Select
          name="status"
          label="Status"
          options={STATUSES}
          value={status}
          onInput={(chosen) => replace('/offers', { status: chosen === 'active' ? '' : chosen })}
        />
      </div>
      {isEmpty && !list.isLoading && list.error === undefined && (
        <Nothing status={status}>{status === 'active' && newOffer}</Nothing>
      )}
      {!isEmpty && (
        <Table
          label="Offers"
          caption="Offers, with the numbers of the last 30 days"
          class="offers"
          columns={['Offer', 'Type', 'Value', 'Duration', numberColumn('Shown'), numberColumn('Accepted')]}
        >
          <tbody>
            {list.pages.flat().map((offer) => (
              <OfferRow key={offer.id} offer={offer} numbers={stats.value && (stats.value.get(offer.id) ?? 'none')} />
            ))}
          </tbody>
        </Table>
      )}
      {!isEmpty && (
        <p class="hint">
          {stats.error === undefined
            ? 'Shown and accepted count sessions of the last 30 days.'
            : 'The numbers of the last 30 days could not be read.'}
        </p>
      )}
      <MoreOf list={list} />
    </Page>
  );
}

function Nothing({ status, children }: { status: string; children: ComponentChildren }) {
  if (status === 'archived') {
    return (
      <Empty title="No archived offers">
        <p>An offer that is archived is kept here, and is shown to nobody any more.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No offers yet">
      <p>
        An offer is a reason to stay: a discount, a pause, a longer trial. Flows show it to customers who are leaving.
      </p>
      {children}
    </Empty>
  );
}
