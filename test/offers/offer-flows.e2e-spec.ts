import { randomUUID } from 'node:crypto';
import { serviceForAll, workspaceForEach } from '../support/service';

const FLOWS = '/api/v1/public/flows';

describe('GET /api/v1/public/offers/:id/flows', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const flowsOf = ({ id }: { id: string }, query = '') => acme.client.get(`/api/v1/public/offers/${id}/flows${query}`);

  it('lists the flows that name the offer, live or in a draft, newest first', async () => {
    const [offer, other] = [await acme.offer(), await acme.offer()];
    const live = await acme.publishedFlow({ offer_ids: [other.id, offer.id] });
    const drafted = await acme.flow({ offer_ids: [other.id] });
    await acme.client.put(`${FLOWS}/${drafted.id}/draft`, { name: 'Drafted', offer_ids: [offer.id] });
    const both = await acme.flow({ offer_ids: [offer.id] });
    await acme.client.put(`${FLOWS}/${both.id}/draft`, { name: 'Drafted' });
    const removed = await acme.flow({ offer_ids: [offer.id] });
    await acme.client.put(`${FLOWS}/${removed.id}/draft`, { offer_ids: [] });
    const { status, body } = await flowsOf(offer);
    const named = (flow: { id: string }, fields: object) => ({ id: flow.id, name: 'Leaving Acme', ...fields });
    expect([status, body]).toEqual([
      200,
      {
        flows: [
          named(removed, { status: 'draft', in_current_version: true, in_draft: false }),
          named(both, { status: 'draft', in_current_version: true, in_draft: true }),
          named(drafted, { status: 'draft', in_current_version: false, in_draft: true }),
          named(live, { status: 'published', in_current_version: true, in_draft: false }),
        ],
        next_cursor: null,
      },
    ]);
  });

  it('finds the offer in a graph', async () => {
    const offer = await acme.offer();
    const definition = {
      entry: 'start',
      nodes: [
        { key: 'start', type: 'start', config: { title: 'Hi' }, next: 'offer' },
        { key: 'offer', type: 'offer', config: { offer_id: offer.id }, next: 'confirm' },
        { key: 'confirm', type: 'confirm', config: { title: 'Sure?' } },
      ],
    };
    const { id } = await acme.flow({ flow_mode: 'advanced', definition });
    expect((await flowsOf(offer)).body.flows).toMatchObject([{ id, in_current_version: true }]);
  });

  it('leaves out archived flows and earlier versions', async () => {
    const offer = await acme.offer();
    const [archived, changed] = [
      await acme.flow({ offer_ids: [offer.id] }),
      await acme.flow({ offer_ids: [offer.id] }),
    ];
    await acme.client.delete(`${FLOWS}/${archived.id}`);
    await acme.client.put(`${FLOWS}/${changed.id}`, { offer_ids: [] });
    expect((await flowsOf(offer)).body.flows).toEqual([]);
  });

  it('is of an archived offer, too', async () => {
    const offer = await acme.offer();
    const { id } = await acme.flow({ offer_ids: [offer.id] });
    await acme.client.delete(`/api/v1/public/offers/${offer.id}`);
    expect((await flowsOf(offer)).body.flows).toMatchObject([{ id }]);
  });

  it('goes on from page to page', async () => {
    const offer = await acme.offer();
    const ids = [];
    for (let n = 0; n < 3; n++) ids.unshift((await acme.flow({ offer_ids: [offer.id] })).id);
    const first = (await flowsOf(offer, '?limit=2')).body;
    const second = (await flowsOf(offer, `?limit=2&cursor=${first.next_cursor}`)).body;
    expect([...first.flows, ...second.flows].map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(second.next_cursor).toBeNull();
  });

  it('is 404 for an offer that nobody has', async () => {
    expect((await flowsOf({ id: randomUUID() })).status).toBe(404);
  });
});
