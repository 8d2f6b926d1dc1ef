import { claimsFor, secretKey, type SigningKey, tokenOf } from '../support/customer-token';
import { Service, Tenant } from '../support/service';

const SESSION = '/api/v1/runtime/session';
const OFFERS = '/api/v1/public/offers';
const ONCE = { accepted: 1, within_days: 180 };
const CUSTOMER = { id: 'cus_4711' };
const ACCEPT = { node_key: 'offer_1', action: 'accept' };

describe('An offer with a limit', () => {
  let service: Service;
  let other: Service;
  let acme: Tenant;

  beforeAll(async () => {
    service = await Service.start();
    other = await Service.start();
  });
  afterAll(() => Promise.all([service.stop(), other.stop()]));
  beforeEach(async () => {
    acme = await service.workspace();
  });

  const step = (id: string, body: object, one = service) => one.client.post(`${SESSION}/${id}/step`, body);

  /** A session that has answered the survey, and what the last step answered. */
  async function walk(flow: { slug: string }, customer: object | null = CUSTOMER) {
    const start = { flow_slug: flow.slug, ...(customer && { customer }) };
    const { body } = await service.client.post(`${SESSION}/init`, start);
    const id = body.session_id as string;
    await step(id, { node_key: 'start', action: 'continue' });
    return { id, state: (await step(id, { node_key: 'reason', action: 'answer', option: 'other' })).body };
  }
  const offersOf = async ({ id }: { id: string }) =>
    (await acme.client.get(`/api/v1/public/flows/${id}/stats`)).body.offers;
  const record = async (id: string) => (await acme.client.get(`/api/v1/public/sessions/${id}`)).body;

  async function accepted(flow: { slug: string }): Promise<void> {
    const { id } = await walk(flow);
    expect((await step(id, ACCEPT)).body).toMatchObject({ status: 'saved', accepted_offer: { heading: 'Half price' } });
  }

  it('is passed over for a customer who accepted it that often, in every flow, and nobody else', async () => {
    const offer = await acme.offer({ limit: ONCE });
    const next = await acme.offer({ name: 'Pause' });
    const flow = await acme.publishedFlow({ offer_ids: [offer.id] });
    const second = await acme.publishedFlow({ offer_ids: [offer.id, next.id] });
    await accepted(flow);
    expect((await walk(flow)).state.node.key).toBe('confirm');
    const { id, state } = await walk(second);
    expect(state.node).toMatchObject({ key: 'offer_2', config: { heading: 'Pause' } });
    expect((await walk(second, { id: 'cus_4712' })).state.node.key).toBe('offer_1');
    expect((await record(id)).steps.map(({ withheld }: { withheld: unknown }) => withheld)).toEqual([
      null,
      [{ offer_id: offer.id, reason: 'limit' }],
    ]);
    expect(await offersOf(second)).toEqual([
      {
        id: offer.id,
        name: 'Half price',
        presented: 1,
        accepted: 0,
        contacted: 0,
        withheld: [{ reason: 'limit', sessions: 1 }],
        acceptance_rate: 0,
        lasting: expect.any(Array),
        value: [],
      },
      {
        id: next.id,
        name: 'Pause',
        presented: 1,
        accepted: 0,
        contacted: 0,
        withheld: [],
        acceptance_rate: 0,
        lasting: expect.any(Array),
        value: [],
      },
    ]);
  });

  it('comes again when the days are over, and when the limit is raised or taken away', async () => {
    const offer = await acme.offer({ limit: { accepted: 1, within_days: 10 } });
    const flow = await acme.publishedFlow({ offer_ids: [offer.id] });
    const set = (limit: object | null) => acme.client.put(`${OFFERS}/${offer.id}`, { limit });
    const nodeNow = async () => (await walk(flow)).state.node.key as string;
    await accepted(flow);
    await service.letPass('9 days 23 hours', acme);
    expect(await nodeNow()).toBe('confirm');
    await set({ accepted: 2, within_days: 10 });
    expect(await nodeNow()).toBe('offer_1');
    await set(null);
    expect(await nodeNow()).toBe('offer_1');
    await set({ accepted: 1, within_days: 10 });
    expect(await nodeNow()).toBe('confirm');
    await service.letPass('1 hour', acme);
    expect(await nodeNow()).toBe('offer_1');
  });

  it('has no limit for sessions without a customer, and for previews', async () => {
    const offer = await acme.offer({ limit: ONCE });
    const flow = await acme.publishedFlow({ offer_ids: [offer.id] });
    for (let n = 0; n < 2; n++) {
      const { id } = await walk(flow, null);
      expect((await step(id, ACCEPT)).status).toBe(200);
    }
    for (let n = 0; n < 2; n++) {
      const { body } = await acme.client.post(`/api/v1/public/flows/${flow.id}/preview`, {});
      await step(body.session_id, { node_key: 'start', action: 'continue' });
      await step(body.session_id, { node_key: 'reason', action: 'answer', option: 'other' });
      expect((await step(body.session_id, ACCEPT)).body.status).toBe('saved');
    }
  });

  it('is refused at accept, and the session goes on to the next node, the same however often it is asked', async () => {
    const offer = await acme.offer({ limit: ONCE });
    const flow = await acme.publishedFlow({ offer_ids: [offer.id] });
    const { id } = await walk(flow);
    await accepted(flow);
    const refused = await step(id, ACCEPT);
    expect([refused.status, refused.body.code]).toEqual([409, 'offer_not_available']);
    expect(refused.body.session).toMatchObject({
      session_id: id,
      status: 'in_progress',
      node: { key: 'confirm' },
      redirect_url: null,
      accepted_offer: null,
    });
    expect(refused.body.cancellation_url).toBe('https://acme.example/cancel');
    expect((await service.client.get(`${SESSION}/${id}`)).body).toMatchObject(refused.body.session);
    const again = await step(id, ACCEPT);
    expect({ ...again.body, request_id: '' }).toEqual({ ...refused.body, request_id: '' });
    expect((await step(id, { node_key: 'confirm', action: 'confirm' })).body.status).toBe('canceled');
    expect((await record(id)).steps.at(-2)).toMatchObject({
      action: 'refused',
      offer: { id: offer.id },
      withheld: [{ offer_id: offer.id, reason: 'limit' }],
    });
    expect(await offersOf(flow)).toMatchObject([
      { presented: 2, accepted: 1, contacted: 0, withheld: [{ reason: 'limit', sessions: 1 }], acceptance_rate: 0.5 },
    ]);
    const { body } = await acme.client.get(`/api/v1/public/flows/${flow.id}/stats/nodes`);
    expect(body.nodes.find(({ node_key }: { node_key: string }) => node_key === 'offer_1').exits).toEqual([
      { action: 'accept', value: null, sessions: 1 },
      { action: 'refused', value: null, sessions: 1 },
    ]);
  });

  it('passes over the next offer, too, when the limits of both are reached', async () => {
    const [first, second] = [await acme.offer({ limit: ONCE }), await acme.offer({ limit: ONCE })];
    const both = await acme.publishedFlow({ offer_ids: [first.id, second.id] });
    const { id } = await walk(both);
    await accepted(await acme.publishedFlow({ offer_ids: [first.id] }));
    await accepted(await acme.publishedFlow({ offer_ids: [second.id] }));
    expect((await step(id, ACCEPT)).body.session.node.key).toBe('confirm');
    expect((await record(id)).steps.at(-1).withheld).toEqual(
      [first, second].map((offer) => ({ offer_id: offer.id, reason: 'limit' })),
    );
  });

  describe('of the workspace', () => {
    const limitAll = (offer_limit: object | null) => acme.client.put('/api/v1/public/workspace', { offer_limit });

    it.each([
      ['/offer_limit/within_days', { accepted: 1 }],
      ['/offer_limit/accepted', { accepted: 0, within_days: 1 }],
    ])('is refused where a part is wrong: %s', async (pointer, offer_limit) => {
      const { status, body } = await limitAll(offer_limit);
      expect([status, body.errors]).toMatchObject([400, [{ pointer }]]);
    });

    it('passes over every other offer once the customer has accepted as many as it allows, and says why', async () => {
      const [first, second] = [await acme.offer({ limit: null }), await acme.offer({ limit: null })];
      const [one, next] = [
        await acme.publishedFlow({ offer_ids: [first.id] }),
        await acme.publishedFlow({ offer_ids: [second.id] }),
      ];
      await limitAll({ accepted: 2, within_days: 10 });
      await accepted(one);
      await accepted(next);
      const { id, state } = await walk(one);
      expect(state.node.key).toBe('confirm');
      expect((await record(id)).steps.at(-1).withheld).toEqual([{ offer_id: first.id, reason: 'offer_limit' }]);
      expect((await walk(one, { id: 'cus_4712' })).state.node.key).toBe('offer_1');
      await service.letPass('10 days', acme);
      expect((await walk(one)).state.node.key).toBe('offer_1');
    });

    it('is one offer of two tabs that accept different ones at the same time, in two processes', async () => {
      const offers = [await acme.offer({ limit: null }), await acme.offer({ limit: ONCE })];
      const flows = [
        await acme.publishedFlow({ offer_ids: [offers[0].id] }),
        await acme.publishedFlow({ offer_ids: [offers[1].id] }),
      ];
      await limitAll({ accepted: 1, within_days: 10 });
      for (let round = 0; round < 5; round++) {
        const customer = { id: `cus_${round}` };
        const tabs = [await walk(flows[0], customer), await walk(flows[1], customer)];
        const answers = await Promise.all(tabs.map(({ id }, tab) => step(id, ACCEPT, tab ? other : service)));
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
        expect(answers.filter(({ status }) => status === 409)).toHaveLength(1);
      }
    });
  });

  it('is accepted as often as its limit says by 64 sessions of a customer at once, in two processes', async () => {
    const offer = await acme.offer({ limit: { accepted: 3, within_days: 180 } });
    const next = await acme.offer({ name: 'Pause', limit: ONCE });
    const flow = await acme.publishedFlow({ offer_ids: [offer.id, next.id] });
    const flows = [flow, await acme.publishedFlow({ offer_ids: [offer.id, next.id] })];
    const ids = await Promise.all(Array.from({ length: 64 }, async (_, n) => (await walk(flows[n % 2])).id));
    const accept = (node_key: string) =>
      Promise.all(ids.map((id, n) => step(id, { node_key, action: 'accept' }, n % 3 === 0 ? other : service)));
    const answers = await accept('offer_1');
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ body }) => body.code === 'offer_not_available')).toHaveLength(61);
    const refused = (await accept('offer_2')).filter(({ body }) => body.code === 'offer_not_available');
    expect(refused).toHaveLength(60);
    const sessions = await acme.client.get('/api/v1/public/sessions?status=saved');
    expect(
      sessions.body.sessions.map((one: { accepted_offer: { id: string } }) => one.accepted_offer.id).toSorted(),
    ).toEqual([offer.id, offer.id, offer.id, next.id].toSorted());
    const withheld = (await Promise.all(flows.map(offersOf))).flat();
    const sum = (id: string) =>
      withheld.reduce(
        (all: number, one: { id: string; withheld: { sessions: number }[] }) =>
          all + (one.id === id ? one.withheld[0].sessions : 0),
        0,
      );
    expect([sum(offer.id), sum(next.id)]).toEqual([61, 60]);
  });

  describe('counts for a subscription, too', () => {
    const subscription = (id: string) => ({ id, amount: 4990, currency: 'EUR', interval: 'month' });
    let key: SigningKey;

    beforeEach(async () => {
      key = await secretKey(acme.client);
    });

    const signed = (sub: string, id = 'sub_1') => tokenOf(key, {}, claimsFor(acme, { sub, subscription: { id } }));
    async function begin(flow: { slug: string }, customer: object): Promise<string> {
      const { body } = await service.client.post(`${SESSION}/init`, { flow_slug: flow.slug, ...customer });
      await step(body.session_id, { node_key: 'start', action: 'continue' });
      await step(body.session_id, { node_key: 'reason', action: 'answer', option: 'other' });
      return body.session_id;
    }
    const nodeOf = async (id: string) => (await service.client.get(`${SESSION}/${id}`)).body.node?.key;
    const limited = async () => acme.publishedFlow({ offer_ids: [(await acme.offer({ limit: ONCE })).id] });

    it('that a token names: nobody else who signs in for it is shown the offer again', async () => {
      const flow = await limited();
      await step(await begin(flow, { customer_token: signed('ada') }), ACCEPT);
      expect(await nodeOf(await begin(flow, { customer_token: signed('eve') }))).toBe('confirm');
      expect(await nodeOf(await begin(flow, { customer_token: signed('eve', 'sub_2') }))).toBe('offer_1');
      expect(await nodeOf(await begin(flow, { customer_token: signed('ada', 'sub_2') }))).toBe('confirm');
    });

    it('but not for one that only the page names: nobody can use up what is for others', async () => {
      const flow = await limited();
      await step(await begin(flow, { customer: { id: 'eve', subscription: subscription('sub_1') } }), ACCEPT);
      expect(await nodeOf(await begin(flow, { customer_token: signed('ada') }))).toBe('offer_1');
    });

    it('and what somebody accepted in the name of a customer counts for nobody who has a token', async () => {
      const flow = await limited();
      await step(await begin(flow, { customer: { id: 'ada' } }), ACCEPT);
      expect(await nodeOf(await begin(flow, { customer: { id: 'ada' } }))).toBe('confirm');
      const signedSession = await begin(flow, { customer_token: signed('ada') });
      expect(await nodeOf(signedSession)).toBe('offer_1');
      await step(signedSession, ACCEPT);
      expect(await nodeOf(await begin(flow, { customer_token: signed('ada') }))).toBe('confirm');
    });

    it('that 20 people accept it for at once, in two processes: one of them gets it', async () => {
      const flow = await limited();
      const people = Array.from({ length: 20 }, (_, n) => `user_${n}`);
      const ids = await Promise.all(people.map((sub) => begin(flow, { customer_token: signed(sub) })));
      const answers = await Promise.all(ids.map((id, n) => step(id, ACCEPT, n % 2 === 0 ? other : service)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ body }) => body.code === 'offer_not_available')).toHaveLength(19);
    });
  });

  it('does not make others wait in a circle: two customers take two offers in opposite order', async () => {
    const [a, b] = [await acme.offer({ limit: ONCE }), await acme.offer({ limit: ONCE })];
    const flows = [
      await acme.publishedFlow({ offer_ids: [a.id, b.id] }),
      await acme.publishedFlow({ offer_ids: [b.id, a.id] }),
    ];
    const customers = Array.from({ length: 10 }, (_, n) => ({ id: `cus_${n}` }));
    const walks = await Promise.all(
      customers.flatMap((customer) => flows.flatMap((flow) => [walk(flow, customer), walk(flow, customer)])),
    );
    const answers = await Promise.all(walks.map(({ id }, n) => step(id, ACCEPT, n % 2 === 0 ? other : service)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.filter(({ body }) => body.code === 'offer_not_available')).toHaveLength(20);
  });

  it('is told by the offer, and stays as it is when other fields are changed', async () => {
    const { id } = await acme.offer({ limit: ONCE });
    await acme.client.put(`${OFFERS}/${id}`, { heading: 'Stay' });
    expect((await acme.client.get(`${OFFERS}/${id}`)).body.limit).toEqual(ONCE);
    await acme.client.put(`${OFFERS}/${id}`, { limit: null });
    expect((await acme.client.get(`${OFFERS}/${id}`)).body.limit).toBeNull();
    const without = await acme.offer();
    expect((await acme.client.get(`${OFFERS}/${without.id}`)).body.limit).toBeNull();
  });

  it('is once in 365 days for a new offer that billing applies, unless another one or none is chosen', async () => {
    const terms = { percent_off: 30, duration: 'once' };
    const limitOf = async (fields: object) => {
      const { id } = await acme.offer(fields);
      return (await acme.client.get(`${OFFERS}/${id}`)).body.limit;
    };
    expect(await limitOf({ terms })).toEqual({ accepted: 1, within_days: 365 });
    expect(await limitOf({ terms, limit: null })).toBeNull();
    expect(await limitOf({ terms, limit: ONCE })).toEqual(ONCE);
    expect(await limitOf({ terms: null })).toBeNull();
  });

  it.each([
    [{}, ['/limit/accepted', '/limit/within_days']],
    [{ accepted: 0, within_days: 1 }, ['/limit/accepted']],
    [{ accepted: 101, within_days: 3651 }, ['/limit/accepted', '/limit/within_days']],
    [{ accepted: 1.5, within_days: '10' }, ['/limit/accepted', '/limit/within_days']],
    [{ accepted: 1, within_days: 1, more: 1 }, ['/limit/more']],
    ['often', ['/limit']],
    [[], ['/limit']],
  ])('is refused with the limit %j, and nothing is changed', async (limit, pointers) => {
    const { id } = await acme.offer({ limit: ONCE });
    const { status, body } = await acme.client.put(`${OFFERS}/${id}`, { limit, heading: 'Other' });
    expect([status, body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([400, pointers]);
    expect((await acme.client.get(`${OFFERS}/${id}`)).body).toMatchObject({ limit: ONCE, heading: 'Half price' });
  });
});
