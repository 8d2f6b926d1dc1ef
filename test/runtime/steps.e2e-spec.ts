import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../support/client';
import { serviceForAll, workspaceForEach } from '../support/service';

const SESSION = '/api/v1/runtime/session';
/** What customers see of an offer. The name is the team's own. */
const SEEN = {
  offer_type: 'discount_percentage',
  offer_value: '50%',
  offer_duration: '3 months',
  heading: 'Stay for half',
  body: 'Really.',
};
const OFFER = { name: 'Half price', ...SEEN };

describe('Walking a session', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  async function begin(flow: { slug: string }): Promise<string> {
    return (await service.client.post(`${SESSION}/init`, { flow_slug: flow.slug })).body.session_id as string;
  }
  const step = (id: string, body: object): Promise<Answer> => service.client.post(`${SESSION}/${id}/step`, body);
  /** Where it stands, as a step answers it. */
  const where = async (id: string) => {
    const { branding: _, ...state } = (await service.client.get(`${SESSION}/${id}`)).body;
    return state;
  };
  const log = (id: string): Promise<Record<string, unknown>[]> =>
    service.database.query(
      `SELECT step.* FROM session_steps step JOIN flow_sessions session
        ON session.workspace_id = step.workspace_id AND session.id = step.flow_session_id
        WHERE session.session_id = $1 ORDER BY position`,
      [id],
    );

  async function atOffer(): Promise<{ id: string; flow: { id: string }; offer: { id: string } }> {
    const offer = await acme.offer(OFFER);
    const flow = await acme.publishedFlow({ offer_ids: [offer.id] });
    const id = await begin(flow);
    await step(id, { node_key: 'start', action: 'continue' });
    await step(id, { node_key: 'reason', action: 'answer', option: 'too_expensive', comment: 'Too dear.' });
    return { id, flow, offer };
  }

  it('changes no index of the sessions until the last step, so that Postgres rewrites none', async () => {
    const id = await begin(await acme.publishedFlow({ offer_ids: [(await acme.offer(OFFER)).id] }));
    const read = async (): Promise<Record<string, unknown>> =>
      (await service.database.query('SELECT * FROM flow_sessions WHERE session_id = $1', [id]))[0];
    const begun = await read();
    await step(id, { node_key: 'start', action: 'continue' });
    await step(id, { node_key: 'reason', action: 'answer', option: 'too_expensive' });
    const now = await read();
    const changed = Object.keys(now).filter((column) => !isDeepStrictEqual(now[column], begun[column]));
    expect(changed.toSorted()).toEqual(['current_node_key', 'presented_offer', 'updated_at']);
    // In expressions and conditions, too.
    const indexed = await service.database.query(
      `SELECT DISTINCT attname AS column FROM pg_index JOIN pg_depend ON classid = 'pg_class'::regclass AND objid = indexrelid
        JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
        WHERE indrelid = 'flow_sessions'::regclass AND refobjid = indrelid AND attname = ANY ($1)`,
      [changed],
    );
    expect(indexed).toEqual([]);
  });

  it('goes from the start over survey and offer to saved, and GET agrees after each step', async () => {
    const offer = await acme.offer(OFFER);
    const id = await begin(await acme.publishedFlow({ offer_ids: [offer.id] }));
    const inProgress = { session_id: id, status: 'in_progress', redirect_url: null, accepted_offer: null };
    expect(await where(id)).toMatchObject({ ...inProgress, node: { key: 'start', type: 'start' } });

    const survey = await step(id, { node_key: 'start', action: 'continue' });
    expect(survey.status).toBe(200);
    expect(survey.body).toMatchObject({ ...inProgress, node: { key: 'reason', type: 'survey' } });
    expect(await where(id)).toEqual(survey.body);

    const shown = await step(id, {
      node_key: 'reason',
      action: 'answer',
      option: 'too_expensive',
      comment: 'Too dear.',
    });
    const { cta_accept, cta_decline, ...config } = shown.body.node.config;
    expect(shown.body).toMatchObject({ ...inProgress, node: { key: 'offer_1', type: 'offer' } });
    expect(config).toEqual({ id: offer.id, ...SEEN });
    expect([cta_accept, cta_decline]).toEqual(['Accept offer', 'No thanks']);
    expect(await where(id)).toEqual(shown.body);

    const saved = await step(id, { node_key: 'offer_1', action: 'accept' });
    expect(saved.body).toEqual({
      session_id: id,
      status: 'saved',
      node: null,
      redirect_url: null,
      accepted_offer: { id: offer.id, ...SEEN },
      fulfilment: 'none',
      closing: { title: 'Thank you for staying', body: 'We are taking care of it.' },
    });
    expect(await where(id)).toEqual(saved.body);
    expect(
      (await log(id)).map((row) => [row.position, row.node_key, row.node_type, row.action, row.option, row.comment]),
    ).toEqual([
      [1, 'start', 'start', 'continue', null, null],
      [2, 'reason', 'survey', 'answer', 'too_expensive', 'Too dear.'],
      [3, 'offer_1', 'offer', 'accept', null, null],
    ]);
  });

  it('goes the other way to canceled, with the cancellation_url of the flow', async () => {
    const { id } = await atOffer();
    expect((await step(id, { node_key: 'offer_1', action: 'decline' })).body.node).toMatchObject({ key: 'confirm' });
    const canceled = await step(id, { node_key: 'confirm', action: 'confirm' });
    expect(canceled.body).toEqual({
      session_id: id,
      status: 'canceled',
      node: null,
      redirect_url: 'https://acme.example/cancel',
      accepted_offer: null,
      fulfilment: 'none',
    });
    expect(await where(id)).toEqual(canceled.body);
  });

  it('is kept at the confirm', async () => {
    const { id } = await atOffer();
    await step(id, { node_key: 'offer_1', action: 'decline' });
    const kept = await step(id, { node_key: 'confirm', action: 'keep' });
    expect(kept.body).toMatchObject({ status: 'saved', node: null, redirect_url: null, accepted_offer: null });
  });

  it.each([
    [{ action: 'cancel' }],
    [{ action: 'cancel', node_key: 'start' }],
    [{ action: 'cancel', node_key: 'nowhere' }],
  ])('is left at once by %j, wherever the customer stands', async (cancel) => {
    const { id } = await atOffer();
    const { status, body } = await step(id, cancel);
    expect([status, body.status, body.redirect_url]).toEqual([200, 'canceled', 'https://acme.example/cancel']);
  });

  it('gives the same answer to the same step, later too', async () => {
    const { id } = await atOffer();
    const request = { node_key: 'offer_1', action: 'decline' };
    const first = await step(id, request);
    expect(await step(id, request)).toMatchObject({ status: 200, body: first.body });
    await step(id, { node_key: 'confirm', action: 'confirm' });
    expect(await step(id, request)).toMatchObject({ status: 200, body: first.body });
    expect(await log(id)).toHaveLength(4);
  });

  it('answers 409 with where it stands to another answer for a node that is behind', async () => {
    const { id } = await atOffer();
    const { status, body } = await step(id, { node_key: 'reason', action: 'answer', option: 'other' });
    expect([status, body.code]).toEqual([409, 'step_conflict']);
    expect(body.session).toEqual(await where(id));
    expect(await log(id)).toHaveLength(2);
  });

  it('answers 409 after the end, and still tells the way out', async () => {
    const { id } = await atOffer();
    await step(id, { node_key: 'offer_1', action: 'accept' });
    const { status, body } = await step(id, { action: 'cancel' });
    expect(status).toBe(409);
    expect(body).toMatchObject({ session: { status: 'saved' }, cancellation_url: 'https://acme.example/cancel' });
    expect((await where(id)).status).toBe('saved');
  });

  it.each([
    ['an action that the node does not take', { node_key: 'offer_1', action: 'continue' }, '/action'],
    ['an unknown action', { node_key: 'offer_1', action: 'dance' }, '/action'],
    ['a node that is not in the flow', { node_key: 'offer_9', action: 'accept' }, '/node_key'],
    ['no node', { action: 'accept' }, '/node_key'],
    ['an option where there is no survey', { node_key: 'offer_1', action: 'accept', option: 'other' }, '/option'],
    ['an unknown field', { node_key: 'offer_1', action: 'accept', at: 'now' }, '/at'],
  ])('refuses %s with the pointer and changes nothing', async (_, request, pointer) => {
    const { id } = await atOffer();
    const before = await where(id);
    const { status, body } = await step(id, request);
    expect([status, body.errors[0].pointer]).toEqual([400, pointer]);
    expect(await where(id)).toEqual(before);
    expect(await log(id)).toHaveLength(2);
  });

  it('refuses an option that the survey does not have', async () => {
    const id = await begin(await acme.publishedFlow());
    await step(id, { node_key: 'start', action: 'continue' });
    const { status, body } = await step(id, { node_key: 'reason', action: 'answer', option: 'bored' });
    expect([status, body.errors[0].pointer]).toEqual([400, '/option']);
  });

  it.each(['nonsense', randomUUID()])('answers 404 for the session %s', async (id) => {
    expect((await service.client.get(`${SESSION}/${id}`)).status).toBe(404);
    expect((await step(id, { action: 'cancel' })).status).toBe(404);
  });

  it('goes on to its end on its version while flow and offers are edited and archived, and accepts what was shown', async () => {
    const { id, flow, offer } = await atOffer();
    await acme.client.put(`/api/v1/public/offers/${offer.id}`, { heading: 'Edited', offer_value: '1%' });
    await acme.client.put(`/api/v1/public/flows/${flow.id}`, {
      offer_ids: [],
      cancellation_url: 'https://acme.example/new',
    });
    await acme.client.delete(`/api/v1/public/offers/${offer.id}`);
    await acme.client.delete(`/api/v1/public/flows/${flow.id}`);
    expect((await where(id)).node.config.heading).toBe('Stay for half');
    const { body } = await step(id, { node_key: 'offer_1', action: 'accept' });
    expect(body).toMatchObject({ status: 'saved', accepted_offer: { heading: 'Stay for half', offer_value: '50%' } });
  });

  it('shows an offer as it is when the customer comes to it, and passes by one that was archived', async () => {
    const [gone, edited] = [await acme.offer(), await acme.offer()];
    const id = await begin(await acme.publishedFlow({ offer_ids: [gone.id, edited.id] }));
    await acme.client.delete(`/api/v1/public/offers/${gone.id}`);
    await acme.client.put(`/api/v1/public/offers/${edited.id}`, { heading: 'Fresh' });
    await step(id, { node_key: 'start', action: 'continue' });
    const { body } = await step(id, { node_key: 'reason', action: 'answer', option: 'other' });
    expect(body.node).toMatchObject({ key: 'offer_2', config: { heading: 'Fresh' } });
  });

  it('takes steps for 24 hours from its start, then none, whatever the steps before', async () => {
    const id = await begin(await acme.publishedFlow());
    const go = { node_key: 'start', action: 'continue' };
    await service.letPass('23 hours 55 minutes', acme);
    expect((await where(id)).status).toBe('in_progress');
    expect((await step(id, go)).status).toBe(200);
    await service.letPass('5 minutes', acme);
    expect(await where(id)).toMatchObject({
      status: 'abandoned',
      node: null,
      redirect_url: null,
      accepted_offer: null,
    });
    const answer = { node_key: 'reason', action: 'answer', option: 'other' };
    for (const late of [go, answer, { action: 'cancel' }, { action: 'keep' }]) {
      const { status, body } = await step(id, late);
      expect([status, body]).toMatchObject([
        409,
        { code: 'session_expired', cancellation_url: 'https://acme.example/cancel' },
      ]);
      expect(body).not.toHaveProperty('session');
    }
    expect(await log(id)).toHaveLength(1);
    expect((await where(id)).status).toBe('abandoned');
  });

  it('stays as it ended, and repeats its last step, after 24 hours', async () => {
    const flow = await acme.publishedFlow();
    const ends = [
      ['saved', 'keep', 'cancel'],
      ['canceled', 'cancel', 'keep'],
    ];
    for (const [status, action, other] of ends) {
      const id = await begin(flow);
      const ended = await step(id, { action });
      await service.letPass('25 hours', acme);
      expect(await where(id)).toMatchObject({ status, node: null });
      expect(await step(id, { action })).toMatchObject({ status: 200, body: ended.body });
      expect((await step(id, { action: other })).body).toMatchObject({ code: 'step_conflict', session: { status } });
    }
  });

  it('is the same one for a start that is repeated after 24 hours', async () => {
    const { slug } = await acme.publishedFlow();
    const key = { 'idempotency-key': randomUUID() };
    const start = () => service.client.post(`${SESSION}/init`, { flow_slug: slug }, key);
    const first = await start();
    await service.letPass('25 hours', acme);
    expect(await start()).toMatchObject({ status: 201, body: first.body });
    expect((await step(first.body.session_id, { action: 'cancel' })).body.code).toBe('session_expired');
    expect((await acme.usage()).sessions_used).toBe(1);
  });

  it('has one outcome and a log without gaps or doubles when 64 clients step at once', async () => {
    const { id } = await atOffer();
    const requests = [
      { node_key: 'offer_1', action: 'accept' },
      { node_key: 'offer_1', action: 'decline' },
      { node_key: 'confirm', action: 'confirm' },
      { action: 'keep' },
      { action: 'cancel' },
    ];
    const answers = await Promise.all(Array.from({ length: 64 }, (_, n) => step(id, requests[n % requests.length])));
    expect(answers.every(({ status }) => [200, 409].includes(status))).toBe(true);
    const ends = new Set(
      answers.map(({ body }) => body.status as string).filter((status) => ['saved', 'canceled'].includes(status)),
    );
    expect([...ends]).toEqual([(await where(id)).status]);
    const steps = await log(id);
    expect(steps.map(({ position }) => position)).toEqual(steps.map((_, index) => index + 1));
    expect(new Set(steps.map(({ node_key }) => node_key)).size).toBe(steps.length);
  });
});
