import { claimsFor, secretKey, type SigningKey, tokenOf } from '../support/customer-token';
import { serviceForAll, type Tenant, workspaceForEach } from '../support/service';

const SESSION = '/api/v1/runtime/session';
const OFFERS = '/api/v1/public/offers';
const FLOWS = '/api/v1/public/flows';
const HOUR = 60 * 60 * 1000;
const LOYAL = { all: [{ fact: 'months', is: '>=', value: 6 }] };

describe('An offer', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
  const step = (id: string, body: object) => service.client.post(`${SESSION}/${id}/step`, body);

  /** A session that has come to the first offer that is made, and where that is. */
  async function walk(tenant: Tenant, slug: string, start: object = {}) {
    const { body } = await service.client.post(`${SESSION}/init`, { flow_slug: slug, ...start });
    const id = body.session_id as string;
    await step(id, { node_key: 'start', action: 'continue' });
    const { node } = (await step(id, { node_key: 'reason', action: 'answer', option: 'other' })).body;
    const { steps } = (await tenant.client.get(`/api/v1/public/sessions/${id}`)).body;
    return { id, at: node.key as string, withheld: steps.at(-1).withheld as { reason: string }[] | null };
  }
  const signed = (key: SigningKey, since: string) => ({
    customer_token: tokenOf(key, {}, claimsFor(acme, { subscription: { since } })),
  });
  const yearsAgo = (years: number) => `${new Date().getUTCFullYear() - years}-01-01`;

  it.each([
    ['that has begun', { from: -1 }, 'offer_1'],
    ['that has not begun', { from: 1 }, 'confirm'],
    ['that is not over', { until: 1 }, 'offer_1'],
    ['that is over', { until: -1 }, 'confirm'],
    ['between its two ends', { from: -2, until: 1 }, 'offer_1'],
    ['whose time has gone by', { from: -3, until: -1 }, 'confirm'],
  ])('%s is shown, or passed over as not_now', async (_, hours, at) => {
    const available = Object.fromEntries(Object.entries(hours).map(([end, hour]) => [end, inHours(hour)]));
    const offer = await acme.offer({ available });
    const { slug } = await acme.publishedFlow({ offer_ids: [offer.id] });
    const reached = await walk(acme, slug);
    expect(reached.at).toBe(at);
    expect(reached.withheld).toEqual(at === 'offer_1' ? null : [{ offer_id: offer.id, reason: 'not_now' }]);
  });

  it('that is over while a customer looks at it may still be accepted', async () => {
    const offer = await acme.offer();
    const { slug } = await acme.publishedFlow({ offer_ids: [offer.id] });
    const { id, at } = await walk(acme, slug);
    expect(at).toBe('offer_1');
    await acme.client.put(`${OFFERS}/${offer.id}`, { available: { until: inHours(-1) } });
    const accepted = await step(id, { node_key: 'offer_1', action: 'accept' });
    expect(accepted.body).toMatchObject({ status: 'saved', accepted_offer: { id: offer.id } });
    expect((await walk(acme, slug)).at).toBe('confirm');
  });

  it('with conditions is for those alone for whom they hold, and the flow goes on to the next', async () => {
    const gold = await acme.offer({ when: { any: [{ attribute: 'tier', is: '=', value: 'gold' }] } });
    const all = await acme.offer({ name: 'Pause' });
    const { id, slug } = await acme.publishedFlow({ offer_ids: [gold.id, all.id] });
    const withTier = (tier: string) => ({ customer: { id: `cus_${tier}`, attributes: { tier } } });
    expect(await walk(acme, slug, withTier('gold'))).toMatchObject({ at: 'offer_1', withheld: null });
    const withheld = [{ offer_id: gold.id, reason: 'conditions' }];
    expect(await walk(acme, slug, withTier('silver'))).toMatchObject({ at: 'offer_2', withheld });
    expect(await walk(acme, slug)).toMatchObject({ at: 'offer_2', withheld });
    const { offers } = (await acme.client.get(`${FLOWS}/${id}/stats`)).body;
    expect(offers).toContainEqual(
      expect.objectContaining({ id: gold.id, withheld: [{ reason: 'conditions', sessions: 2 }] }),
    );
  });

  it('goes by facts that a token says, though no branch asks for them', async () => {
    const offer = await acme.offer({ when: LOYAL });
    const { slug } = await acme.publishedFlow({ offer_ids: [offer.id] });
    const key = await secretKey(acme.client);
    expect((await walk(acme, slug, signed(key, yearsAgo(2)))).at).toBe('offer_1');
    expect((await walk(acme, slug, signed(key, inHours(-24).slice(0, 10)))).at).toBe('confirm');
    expect((await walk(acme, slug)).at).toBe('confirm');
  });

  it('is told by a preview as its customer would see it', async () => {
    const offer = await acme.offer({ when: LOYAL });
    const flow = await acme.publishedFlow({ offer_ids: [offer.id] });
    const preview = async (months: number) => {
      const { body } = await acme.client.post(`${FLOWS}/${flow.id}/preview`, { customer: { facts: { months } } });
      await step(body.session_id, { node_key: 'start', action: 'continue' });
      return (await step(body.session_id, { node_key: 'reason', action: 'answer', option: 'other' })).body.node.key;
    };
    expect([await preview(5), await preview(6)]).toEqual(['confirm', 'offer_1']);
  });

  it('keeps times in UTC, has an end that was left out as null, and takes both away with null', async () => {
    const { id } = await acme.offer({ available: { from: '2027-11-26T01:00:00.1234+01:00' }, when: LOYAL });
    const read = async () => (await acme.client.get(`${OFFERS}/${id}`)).body;
    expect(await read()).toMatchObject({
      available: { from: '2027-11-26T00:00:00.123Z', until: null },
      when: LOYAL,
      current_version: 1,
    });
    await acme.client.put(`${OFFERS}/${id}`, { available: null, when: null });
    expect(await read()).toMatchObject({ available: null, when: null, current_version: 2 });
    const first = (await acme.client.get(`${OFFERS}/${id}/versions/1`)).body;
    expect(first).toMatchObject({ available: { from: '2027-11-26T00:00:00.123Z', until: null }, when: LOYAL });
  });

  it('changes whom it is for with its draft, once that is published', async () => {
    const offer = await acme.offer();
    const { slug } = await acme.publishedFlow({ offer_ids: [offer.id] });
    const draft = await acme.client.put(`${OFFERS}/${offer.id}/draft`, { when: LOYAL });
    expect(draft.status).toBe(200);
    expect((await walk(acme, slug)).at).toBe('offer_1');
    expect((await acme.client.post(`${OFFERS}/${offer.id}/draft/publish`, {})).status).toBe(200);
    expect((await walk(acme, slug)).at).toBe('confirm');
  });

  const TIMES = { from: '2027-11-26T00:00:00Z', until: '2027-11-26T01:00:00+01:00' };
  const UNKNOWN = '019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b';
  it.each([
    ['/available/until', { available: TIMES }],
    ['/available/from', { available: { from: '2027-02-30T00:00:00Z' } }],
    ['/available/from', { available: { from: '2027-11-26' } }],
    ['/available/until', { available: { until: 1 } }],
    ['/available', { available: '2027' }],
    ['/available/to', { available: { to: '2027-11-26T00:00:00Z' } }],
    ['/when', { when: [] }],
    ['/when/all', { when: { all: [] } }],
    ['/when/all/0/answer', { when: { all: [{ answer: 'reason', is: '=', value: 'other' }] } }],
    ['/when/all/0/result', { when: { all: [{ result: 'nps.score', is: '>', value: 6 }] } }],
    ['/when/all/0/audience', { when: { all: [{ audience: UNKNOWN }] } }],
    ['/when/any/0/all/0/fact', { when: { any: [{ all: [{ fact: 'saves', is: '>', value: 1 }] }] } }],
    ['/when/all/0/value', { when: { all: [{ fact: 'months', is: '=', value: 'six' }] } }],
  ])('is refused with a fault at %s', async (pointer, fields) => {
    const { id } = await acme.offer();
    const { status, body } = await acme.client.put(`${OFFERS}/${id}`, fields);
    expect([status, body.errors.map((error: { pointer: string }) => error.pointer)]).toEqual([400, [pointer]]);
    expect((await acme.client.get(`${OFFERS}/${id}`)).body).toMatchObject({ available: null, when: null });
  });
});
