import { randomUUID } from 'node:crypto';
import { Retention } from '../../src/privacy/retention.service';
import { addWebhook, setStartsAreEvents } from '../outbox/outbox';
import type { Answer } from '../support/client';
import { connected, untilBlocking, workerDatabaseUrl } from '../support/database';
import { serviceForAll, type Tenant, workspaceForEach } from '../support/service';
import { issueKey } from '../workspaces/issued-key';

const PUBLIC = '/api/v1/public';
const SESSION = '/api/v1/runtime/session';
const PREVIEW = '/api/v1/runtime/preview';
/** What customers see of an offer. */
const SEEN = {
  offer_type: 'discount_percentage',
  offer_value: '50%',
  offer_duration: '3 months',
  heading: 'Stay for half',
  body: 'Really.',
};
const OFFER = { name: 'Half price', ...SEEN };
const START = { node_key: 'start', action: 'continue' };
const ANSWER = { node_key: 'reason', action: 'answer', option: 'too_expensive', comment: 'I am Ada.' };
const ACCEPT = { node_key: 'offer_1', action: 'accept' };
const DECLINE = { node_key: 'offer_1', action: 'decline' };

describe('A preview of a flow', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const preview = (flow: { id: string }, { client }: Pick<Tenant, 'client'> = acme) =>
    client.send('POST', `${PUBLIC}/flows/${flow.id}/preview`);
  const begin = async (flow: { id: string }) => (await preview(flow)).body.session_id as string;
  const step = (id: string, body: object): Promise<Answer> => service.client.post(`${SESSION}/${id}/step`, body);
  /** Where it stands, as a step answers it. */
  const where = async (id: string) => {
    const { branding: _, ...state } = (await service.client.get(`${SESSION}/${id}`)).body;
    return state;
  };
  const rows = (): Promise<{ session_id: string; steps: object[] }[]> =>
    service.database.query('SELECT * FROM previews WHERE workspace_id = $1 ORDER BY created_at', [acme.id]);

  async function draft(fields: object = {}): Promise<{ id: string; name: string; slug: string }> {
    return acme.flow({ offer_ids: [(await acme.offer(OFFER)).id], ...fields });
  }

  /** Takes steps one after another and returns the last answer. */
  async function walk(id: string, ...steps: object[]): Promise<Answer> {
    const answers: Answer[] = [];
    for (const one of steps) answers.push(await step(id, one));
    expect(answers.map(({ status }) => status)).toEqual(steps.map(() => 200));
    return answers.at(-1)!;
  }

  it('looks like a session that started, and names where it can be read', async () => {
    const flow = await draft();
    const branding = { primary_color: '#112233', logo_url: 'https://acme.example/logo.svg' };
    await acme.client.put(`${PUBLIC}/workspace`, branding);
    const { status, headers, body } = await preview(flow);
    await acme.client.put(`${PUBLIC}/flows/${flow.id}`, { status: 'published' });
    const started = await service.client.post(`${SESSION}/init`, { flow_slug: flow.slug });
    expect([status, body]).toEqual([201, { ...started.body, session_id: body.session_id }]);
    expect(body.flow).toMatchObject({ branding, entry_node: { key: 'start' } });
    expect(headers.get('location')).toBe(`${SESSION}/${body.session_id}`);
    expect(body.session_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8f[0-9a-f]{2}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(body.session_id.slice(0, 8)).toBe(started.body.session_id.slice(0, 8));
  });

  it('gives the same answers to the same steps as a session, to both ends', async () => {
    const flow = await draft();
    const previews = [await begin(flow), await begin(flow), await begin(flow)];
    await acme.client.put(`${PUBLIC}/flows/${flow.id}`, { status: 'published' });
    const ways = [
      [START, ANSWER, ACCEPT],
      [START, ANSWER, DECLINE, { node_key: 'confirm', action: 'confirm' }],
      [START, { action: 'keep' }],
    ];
    for (const [index, way] of ways.entries()) {
      const session = (await service.client.post(`${SESSION}/init`, { flow_slug: flow.slug })).body.session_id;
      const id = previews[index];
      const same = (answer: object) => JSON.parse(JSON.stringify(answer).replaceAll(session, id)) as object;
      expect(await where(id)).toEqual(same(await where(session)));
      for (const one of way) {
        const [taken, real] = [await step(id, one), await step(session, one)];
        expect([taken.status, taken.body]).toEqual([200, same(real.body)]);
        expect(await where(id)).toEqual(taken.body);
      }
      for (const one of [{ action: 'cancel' }, { action: 'keep' }, START, { ...ANSWER, option: 'other' }]) {
        const [again, real] = [await step(id, one), await step(session, one)];
        expect([one, again.status]).toEqual([one, real.status]);
        const expected = same(real.body) as { session?: object };
        expect(again.body.session ?? again.body).toEqual(expected.session ?? expected);
      }
    }
    expect((await where(previews[0])).accepted_offer).toMatchObject(SEEN);
    expect((await where(previews[1])).redirect_url).toBe('https://acme.example/cancel');
  });

  it.each(['published', 'archived'])('is of a flow that is %s, too', async (status) => {
    const flow = await draft();
    await acme.client.put(`${PUBLIC}/flows/${flow.id}`, { status });
    const { body } = await walk(await begin(flow), START, ANSWER);
    expect(body.node).toMatchObject({ key: 'offer_1', config: SEEN });
  });

  it.each([0, 1, 2, 3])('can be cancelled after %i steps', async (taken) => {
    const id = await begin(await draft());
    const { body } = await walk(id, ...[START, ANSWER, DECLINE].slice(0, taken), { action: 'cancel' });
    expect(body).toMatchObject({ status: 'canceled', node: null, redirect_url: 'https://acme.example/cancel' });
  });

  it('gives the same answer to a step that is repeated, later too', async () => {
    const id = await begin(await draft());
    await step(id, START);
    const first = await step(id, ANSWER);
    expect(await step(id, ANSWER)).toMatchObject({ status: 200, body: first.body });
    await walk(id, DECLINE, { node_key: 'confirm', action: 'confirm' });
    expect(await step(id, ANSWER)).toMatchObject({ status: 200, body: first.body });
    expect((await rows())[0].steps).toHaveLength(4);
  });

  it('begins again as often as somebody asks, at the first node of the version that it is of', async () => {
    const flow = await draft();
    const id = await begin(flow);
    const first = await where(id);
    await acme.client.put(`${PUBLIC}/flows/${flow.id}`, { offer_ids: [] });
    const restart = () => service.client.send('POST', `${PREVIEW}/${id}/restart`);
    for (const end of [ACCEPT, { action: 'cancel' }]) {
      await walk(id, START, ANSWER, end);
      const { status, body } = await restart();
      expect([status, body]).toEqual([200, first]);
      expect(await where(id)).toEqual(first);
    }
    expect((await rows())[0].steps).toEqual([]);
  });

  it('is all that begins again: the session of a customer is 404, and stays as it is', async () => {
    const { slug } = await acme.publishedFlow();
    const { session_id } = (await service.client.post(`${SESSION}/init`, { flow_slug: slug })).body;
    await walk(session_id, START);
    for (const id of [session_id, randomUUID()]) {
      const { status, body } = await service.client.send('POST', `${PREVIEW}/${id}/restart`);
      expect([status, body.code]).toEqual([404, 'session_not_found']);
    }
    expect((await where(session_id)).node.key).toBe('reason');
  });

  it('answers 409 with where it stands, and 400 with the field, and stays as it is', async () => {
    const id = await begin(await draft());
    await walk(id, START, ANSWER);
    const before = await rows();
    const conflict = await step(id, { ...ANSWER, option: 'other' });
    expect([conflict.status, conflict.body.code]).toEqual([409, 'step_conflict']);
    expect(conflict.body).toMatchObject({
      session: await where(id),
      cancellation_url: 'https://acme.example/cancel',
    });
    const invalid = await step(id, { node_key: 'offer_1', action: 'continue' });
    expect([invalid.status, invalid.body.errors[0].pointer]).toEqual([400, '/action']);
    expect(await rows()).toEqual(before);
  });

  it('asks for a comment where it is required, and stores none', async () => {
    const flow = await acme.flow({
      flow_mode: 'advanced',
      definition: {
        entry: 'reason',
        nodes: [
          {
            key: 'reason',
            type: 'survey',
            config: { title: 'Why?', comment: 'required', options: [{ value: 'other', label: 'Other' }] },
            next: 'confirm',
          },
          { key: 'confirm', type: 'confirm', config: { title: 'Sure?' } },
        ],
      },
    });
    const id = await begin(flow);
    const answer = { node_key: 'reason', action: 'answer', option: 'other' };
    expect((await step(id, answer)).body.errors[0].pointer).toBe('/comment');
    const { body } = await walk(id, { ...answer, comment: 'I am Ada.' });
    expect(body.node.key).toBe('confirm');
    expect(JSON.stringify(await rows())).not.toContain('Ada');
    expect((await step(id, { ...answer, comment: 'I am Ada.' })).body).toEqual(body);
  });

  it('shows an offer as it is when the walk comes to it, and passes by one that was archived', async () => {
    const [gone, edited] = [await acme.offer(), await acme.offer()];
    const id = await begin(await acme.flow({ offer_ids: [gone.id, edited.id] }));
    await acme.client.delete(`${PUBLIC}/offers/${gone.id}`);
    await acme.client.put(`${PUBLIC}/offers/${edited.id}`, { heading: 'Fresh' });
    expect((await walk(id, START, ANSWER)).body.node).toMatchObject({ key: 'offer_2', config: { heading: 'Fresh' } });
    await acme.client.put(`${PUBLIC}/offers/${edited.id}`, { heading: 'Edited again' });
    const { body } = await walk(id, { node_key: 'offer_2', action: 'accept' });
    expect(body.accepted_offer.heading).toBe('Fresh');
  });

  it('stays on its version when the flow is changed', async () => {
    const flow = await draft();
    const id = await begin(flow);
    await acme.client.put(`${PUBLIC}/flows/${flow.id}`, {
      name: 'Changed',
      offer_ids: [],
      cancellation_url: 'https://acme.example/changed',
    });
    expect((await walk(id, START, ANSWER)).body.node.key).toBe('offer_1');
    expect((await step(id, { action: 'cancel' })).body.redirect_url).toBe('https://acme.example/cancel');
    expect((await preview(flow)).body.flow.name).toBe('Changed');
  });

  it('is counted nowhere', async () => {
    const flow = await draft({ estimated_monthly_value: 10, notification_email: 'team@acme.example' });
    await acme.client.put(`${PUBLIC}/flows/${flow.id}`, { status: 'published' });
    const { session_id } = (await service.client.post(`${SESSION}/init`, { flow_slug: flow.slug })).body;
    await addWebhook(service, acme);
    await setStartsAreEvents(service, acme, true);
    await service.operator.put(`/api/v1/admin/workspaces/${acme.id}`, { session_limit: 1 });

    const lists = ['stats', `flows/${flow.id}/stats`, 'sessions', 'events', 'workspace', `flows/${flow.id}`];
    const everywhere = async () => {
      const answers = [];
      for (const path of lists) answers.push((await acme.client.get(`${PUBLIC}/${path}`)).body);
      const tables = ['flow_sessions', 'session_steps', 'outbox', 'events', 'deliveries'];
      const rows = [];
      for (const table of tables)
        rows.push(await service.database.query(`SELECT * FROM ${table} WHERE workspace_id = $1`, [acme.id]));
      // Everything that is counted of sessions.
      const metrics = ((await service.client.get('/metrics')).body as string).match(/^retention_session\S+ .*$/gm);
      return { answers, rows, metrics };
    };
    const before = await everywhere();
    expect(before.rows[0]).toHaveLength(1);
    expect(before.metrics).toContain('retention_session_starts_total{result="session_limit_reached"} 0');

    const ids = [await begin(flow), await begin(flow)];
    await walk(ids[0], START, ANSWER, ACCEPT);
    await walk(ids[1], START, { action: 'cancel' });
    expect(await everywhere()).toEqual(before);

    // A backend that asks for what a page reports finds the session, and no preview.
    expect((await acme.client.get(`${PUBLIC}/sessions/${session_id}`)).status).toBe(200);
    for (const id of ids) expect((await acme.client.get(`${PUBLIC}/sessions/${id}`)).status).toBe(404);
  });

  it('takes any key of the workspace that has the flow, also one that may only read', async () => {
    const flow = await draft();
    const { client } = await issueKey(service, acme, { access: 'read' });
    expect((await preview(flow, { client })).status).toBe(201);
    await service.database.query('DELETE FROM previews WHERE workspace_id = $1', [acme.id]);
    expect((await preview(flow, { client: service.client })).body.code).toBe('unauthorized');
    expect((await preview(flow, await service.workspace())).status).toBe(404);
    expect((await preview({ id: randomUUID() })).status).toBe(404);
    expect(await rows()).toEqual([]);
  });

  it.each([
    ['nobody has', (id: string) => id.slice(0, -12) + randomUUID().slice(-12)],
    ['is in another workspace', (id: string, code: string) => code + id.slice(8)],
  ])('is 404 under a session_id that %s', async (_, forge) => {
    const flow = await (await service.workspace()).publishedFlow();
    const { session_id } = (await service.client.post(`${SESSION}/init`, { flow_slug: flow.slug })).body;
    const id = forge(await begin(await draft()), session_id.slice(0, 8));
    expect(await where(id)).toMatchObject({ status: 404, code: 'session_not_found' });
    expect((await step(id, { action: 'cancel' })).body.code).toBe('session_not_found');
  });

  describe('of an experiment', () => {
    const page = (key: string) => ({ key, type: 'start', config: { title: key }, next: 'confirm' });
    const confirm = { key: 'confirm', type: 'confirm', config: { title: 'Sure?' } };
    const ask = (next: string) => ({
      key: 'ask',
      type: 'survey',
      config: { title: 'Why?', options: [{ value: 'other', label: 'Other' }] },
      next,
    });
    const split = (key: string, weights: Record<string, number>) => ({
      key,
      type: 'split',
      config: { ways: Object.entries(weights).map(([name, weight]) => ({ name, weight, next: `${key}-${name}` })) },
    });
    const shown = (key: string) => ({ ...ask('confirm'), key });
    /** Larger teams come to one split, the others to another. */
    const definition = {
      entry: 'ask',
      nodes: [
        ask('team'),
        {
          key: 'team',
          type: 'branch',
          config: { ways: [{ when: { all: [{ attribute: 'seats', is: '>=', value: 10 }] }, next: 'large' }] },
          next: 'small',
        },
        split('large', { a: 1, b: 0, c: 1000 }),
        split('small', { a: 1, b: 1 }),
        ...['large-a', 'large-b', 'large-c', 'small-a', 'small-b'].map(shown),
        confirm,
      ],
    };
    const advanced = () => acme.flow({ flow_mode: 'advanced', definition });
    const wayOf = async (flow: { id: string }, body: object) => {
      const { session_id } = (await acme.client.post(`${PUBLIC}/flows/${flow.id}/preview`, body)).body;
      return (await walk(session_id, { node_key: 'ask', action: 'answer', option: 'other' })).body.node.key;
    };

    it('walks each branch by the attributes that it is sent, and each arm that it is told', async () => {
      const flow = await advanced();
      const customer = { attributes: { seats: 12 } };
      for (const large of ['a', 'b', 'c'])
        expect(await wayOf(flow, { customer, arm: { large } })).toBe(`large-${large}`);
      for (const small of ['a', 'b']) {
        expect(await wayOf(flow, { arm: { small, large: 'a' } })).toBe(`small-${small}`);
        expect(await wayOf(flow, { customer: { attributes: { seats: 9 } }, arm: { small } })).toBe(`small-${small}`);
      }
      expect(await wayOf(flow, { customer: {} })).toMatch(/^small-[ab]$/);
    });

    it.each([
      [{ arm: { large: 'd' } }, '/arm/large'],
      [{ arm: { nowhere: 'a' } }, '/arm/nowhere'],
      [{ arm: { team: '0' } }, '/arm/team'],
      [{ arm: { large: 1 } }, '/arm'],
      [{ arm: ['a'] }, '/arm'],
      [{ customer: { id: 'cus_1' } }, '/customer/id'],
      [{ customer: { attributes: { seats: [] } } }, '/customer/attributes'],
      [{ draft: 'yes' }, '/draft'],
    ])('refuses %j', async (body, pointer) => {
      const { status, body: problem } = await acme.client.post(
        `${PUBLIC}/flows/${(await advanced()).id}/preview`,
        body,
      );
      expect([status, problem.errors[0].pointer]).toEqual([400, pointer]);
      expect(await rows()).toEqual([]);
    });

    it('can be of the draft of a flow, which it keeps as it was', async () => {
      const flow = await acme.publishedFlow();
      const path = `${PUBLIC}/flows/${flow.id}`;
      const ofDraft = () => acme.client.post(`${path}/preview`, { draft: true });
      expect((await ofDraft()).status).toBe(404);
      await acme.client.put(`${path}/draft`, { flow_mode: 'advanced', definition, name: 'Draft' });
      const arm = { large: 'b' };
      const body = { draft: true, customer: { attributes: { seats: 12 } }, arm };
      const { flow: begun, session_id } = (await acme.client.post(`${path}/preview`, body)).body;
      expect(begun).toMatchObject({ name: 'Draft', entry_node: { key: 'ask' } });
      expect((await acme.client.post(`${path}/preview`, { arm })).body.errors[0].pointer).toBe('/arm/large');
      await acme.client.put(`${path}/draft`, { definition: { entry: 'first', nodes: [page('first'), confirm] } });
      const { node } = (await walk(session_id, { node_key: 'ask', action: 'answer', option: 'other' })).body;
      expect(node.key).toBe('large-b');

      await acme.client.delete(`${path}/draft`);
      expect((await walk(session_id, { action: 'cancel' })).body.redirect_url).toBe('https://acme.example/cancel');
      expect((await acme.client.get(path)).body.current_version).toBe(1);
    });

    it('can not be of a draft with faults, and names them', async () => {
      const flow = await acme.flow();
      const faulty = { entry: 'ask', nodes: [ask('gone'), confirm] };
      const saved = await acme.client.put(`${PUBLIC}/flows/${flow.id}/draft`, {
        flow_mode: 'advanced',
        definition: faulty,
      });
      const { status, body } = await acme.client.post(`${PUBLIC}/flows/${flow.id}/preview`, { draft: true });
      expect([status, body.code, body.faults]).toEqual([409, 'draft_has_faults', saved.body.faults]);
    });
  });

  it('is found by its session_id in capitals', async () => {
    const id = await begin(await draft());
    expect((await where(id.toUpperCase())).session_id).toBe(id);
    expect((await step(id.toUpperCase(), START)).body.node.key).toBe('reason');
  });

  it('is gone after a day, and its row is deleted', async () => {
    const id = await begin(await draft());
    await service.letPass('23 hours 55 minutes', acme);
    const younger = await begin(await draft());
    await service.app.get(Retention).deleteOld();
    expect((await step(id, START)).body.status).toBe('in_progress');
    await service.letPass('5 minutes', acme);
    expect(await where(id)).toMatchObject({ status: 404, code: 'session_not_found' });
    expect((await step(id, ANSWER)).body.code).toBe('session_not_found');
    expect(await rows()).toHaveLength(2);
    await service.app.get(Retention).deleteOld();
    expect((await rows()).map(({ session_id }) => session_id)).toEqual([younger]);
  });

  it('is deleted after a day by the next preview, too', async () => {
    await begin(await draft());
    await service.letPass('1 day', acme);
    const next = await begin(await draft());
    expect((await rows()).map(({ session_id }) => session_id)).toEqual([next]);
  });

  it('pushes out the oldest of 100, also when two begin at once', async () => {
    const flow = await draft();
    const [first, second, third] = [await begin(flow), await begin(flow), await begin(flow)];
    // One after another: of 97 at once, those that wait for 3 seconds are refused.
    for (let count = 0; count < 97; count++) await begin(flow);
    expect(await rows()).toHaveLength(100);
    await connected(workerDatabaseUrl(), async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM previews WHERE session_id = $1 FOR UPDATE', [first]);
      const begun = Promise.all([begin(flow), begin(flow)]);
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      while ((await service.database.query(waiting)).length < 2);
      await client.query('COMMIT');
      const last = await begun;
      const kept = (await rows()).map(({ session_id }) => session_id);
      expect([kept.length, kept[0], kept.slice(-2).toSorted()]).toEqual([100, third, last.toSorted()]);
    });
    for (const id of [first, second]) expect((await where(id)).code).toBe('session_not_found');
  });

  it('has one outcome when many step at once, and each step once', async () => {
    const id = await begin(await draft());
    await walk(id, START, ANSWER);
    const requests = [ACCEPT, DECLINE, { action: 'keep' }, { action: 'cancel' }];
    const answers = await Promise.all(Array.from({ length: 32 }, (_, n) => step(id, requests[n % requests.length])));
    expect(answers.every(({ status }) => [200, 409].includes(status))).toBe(true);
    const ends = new Set(
      answers.flatMap(({ body }) => (['saved', 'canceled'].includes(body.status) ? body.status : [])),
    );
    expect([...ends]).toEqual([(await where(id)).status]);
    const [{ steps }] = (await rows()) as unknown as { steps: { node_key: string }[] }[];
    expect(new Set(steps.map(({ node_key }) => node_key)).size).toBe(steps.length);
  });

  it('leaves starts and steps of sessions alone while its own wait for a lock', async () => {
    const flow = await draft();
    const id = await begin(flow);
    await acme.client.put(`${PUBLIC}/flows/${flow.id}`, { status: 'published' });
    await connected(workerDatabaseUrl(), async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM previews WHERE session_id = $1 FOR UPDATE', [id]);
      await client.query('SELECT FROM workspace_codes WHERE workspace_id = $1 FOR UPDATE', [acme.id]);
      const waiting = [step(id, START), preview(flow)];
      await untilBlocking(client);
      const { session_id } = (await service.client.post(`${SESSION}/init`, { flow_slug: flow.slug })).body;
      expect((await step(session_id, START)).status).toBe(200);
      await client.query('COMMIT');
      expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 201]);
    });
  });

  it('stays when a customer is erased', async () => {
    const id = await begin(await draft());
    await step(id, START);
    expect((await acme.client.delete(`${PUBLIC}/customers/cus_4711`)).body).toEqual({ erased: true, sessions: 0 });
    expect((await where(id)).node.key).toBe('reason');
  });
});
