import { pick } from '../../src/platform/common/pick';
import { serviceForAll, workspaceForEach } from '../support/service';
import { FULL_OFFER, UNKNOWN_ID } from './full-offer';

const OFFERS = '/api/v1/public/offers';

describe('GET /api/v1/public/offers', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const idsOf = (offers: { id: string }[]) => offers.map(({ id }) => id);

  it('shows exactly the documented fields of each offer', async () => {
    const { body } = await acme.client.post(OFFERS, FULL_OFFER);
    const { status, body: list } = await acme.client.get(OFFERS);
    expect(status).toBe(200);
    const listed = [
      'name',
      'offer_type',
      'offer_value',
      'offer_duration',
      'heading',
      'cta_accept',
      'cta_decline',
    ] as const;
    expect(list).toEqual({ offers: [{ id: body.id, ...pick(FULL_OFFER, listed) }], next_cursor: null });
  });

  it('is an empty list for a workspace without offers', async () => {
    expect((await acme.client.get(OFFERS)).body).toEqual({ offers: [], next_cursor: null });
  });

  it('lists active offers newest first; ?status=archived lists the archived ones', async () => {
    const [first, second, third, fourth] = [
      await acme.offer(),
      await acme.offer(),
      await acme.offer(),
      await acme.offer(),
    ];
    for (const { id } of [second, fourth]) await acme.client.delete(`${OFFERS}/${id}`);
    await acme.client.put(`${OFFERS}/${first.id}`, { name: 'Changed' });
    expect(idsOf((await acme.client.get(OFFERS)).body.offers)).toEqual([third.id, first.id]);
    expect(idsOf((await acme.client.get(`${OFFERS}?status=active`)).body.offers)).toEqual([third.id, first.id]);
    expect(idsOf((await acme.client.get(`${OFFERS}?status=archived`)).body.offers)).toEqual([fourth.id, second.id]);
  });

  it('pages through all offers, each once, while others are changed or created', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 7; n++) ids.unshift((await acme.offer({ name: `Offer ${n}` })).id);
    const pages: string[][] = [];
    for (let cursor: string | null = ''; cursor !== null && pages.length < 10;) {
      const { body } = await acme.client.get(`${OFFERS}?limit=3${cursor && `&cursor=${cursor}`}`);
      pages.push(idsOf(body.offers));
      cursor = body.next_cursor;
      await acme.client.put(`${OFFERS}/${ids[6]}`, { body: `edit ${pages.length}` });
      await acme.offer({ name: 'Created meanwhile' });
    }
    expect(pages).toEqual([ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)]);
  });

  it('has no next page after a last page that is full', async () => {
    for (let n = 0; n < 4; n++) await acme.offer();
    const { body } = await acme.client.get(`${OFFERS}?limit=2`);
    const last = (await acme.client.get(`${OFFERS}?limit=2&cursor=${body.next_cursor}`)).body;
    expect([last.offers.length, last.next_cursor]).toEqual([2, null]);
  });

  it('returns 100 offers by default and up to 500 with ?limit=', async () => {
    await service.database.query(
      `INSERT INTO offers
           SELECT (jsonb_populate_record(offer, jsonb_build_object('id', gen_random_uuid()))).*
           FROM offers offer, generate_series(1, 500) WHERE offer.id = $1`,
      [(await acme.offer()).id],
    );
    const { offers, next_cursor } = (await acme.client.get(OFFERS)).body;
    expect([offers.length, typeof next_cursor]).toEqual([100, 'string']);
    expect((await acme.client.get(`${OFFERS}?limit=500`)).body.offers).toHaveLength(500);
  });

  it('finds offers by key and a part of the name, of the asked status', async () => {
    const half = await acme.offer({ name: 'Half price', key: 'half' });
    const pause = await acme.offer({ name: 'A pause' });
    await acme.client.delete(`${OFFERS}/${pause.id}`);
    const found = async (query: string) =>
      (await acme.client.get(`${OFFERS}?${query}`)).body.offers.map(({ id }: { id: string }) => id);
    expect([await found('key=half'), await found('q=HALF'), await found('q=pause')]).toEqual([
      [half.id],
      [half.id],
      [],
    ]);
    expect(await found('q=pause&status=archived')).toEqual([pause.id]);
  });

  it.each([
    'limit=0',
    'limit=501',
    'limit=-1',
    'limit=x',
    'limit=1.5',
    'limit=1e2',
    'limit=',
    'limit=1&limit=2',
    'status=draft',
    'status=',
    'status=active&status=archived',
    'cursor=',
    'cursor=broken',
    `cursor=${UNKNOWN_ID}`,
    'page=2',
  ])('refuses ?%s and names the parameter', async (query) => {
    const { status, body } = await acme.client.get(`${OFFERS}?${query}`);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ parameter: query.split('=')[0] }]);
  });
});
