import { Service, serviceForAll, workspaceForEach } from '../support/service';
import { announcements, outboxOf, recordsOf, setStartsAreEvents, withoutOutbox } from './outbox';

const SESSION = '/api/v1/runtime/session';
const CONTINUE = { node_key: 'start', action: 'continue' };
const ANSWER = { node_key: 'reason', action: 'answer', option: 'other' };

describe('Events of sessions that end', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);
  let slug: string;

  beforeEach(async () => {
    ({ slug } = await acme.publishedFlow({ offer_ids: [(await acme.offer()).id] }));
  });

  async function begin(flow_slug = slug): Promise<string> {
    return (await service.client.post(`${SESSION}/init`, { flow_slug })).body.session_id as string;
  }
  const step = async (id: string, body: object, one = service) =>
    (await one.client.post(`${SESSION}/${id}/step`, body)).status;
  const entries = () => outboxOf(service, acme, 'session');
  const entryOf = async (type: string, sessionId: string) => {
    return { type, flow_session_ids: await recordsOf(service, [sessionId]), data: null };
  };

  it.each([
    ['session.saved', [{ action: 'keep' }]],
    ['session.saved', [CONTINUE, ANSWER, { node_key: 'offer_1', action: 'accept' }]],
    ['session.canceled', [{ action: 'cancel' }]],
    [
      'session.canceled',
      [CONTINUE, ANSWER, { node_key: 'offer_1', action: 'decline' }, { node_key: 'confirm', action: 'confirm' }],
    ],
  ])('%s comes with the step that ends it, and with no other', async (type, steps) => {
    const id = await begin();
    for (const body of steps) {
      expect(await entries()).toEqual([]);
      expect(await step(id, body)).toBe(200);
    }
    expect(await entries()).toEqual([await entryOf(type, id)]);
    for (const body of [...steps, ...steps.toReversed()]) expect(await step(id, body)).toBe(200);
    expect(await step(id, { action: type === 'session.saved' ? 'cancel' : 'keep' })).toBe(409);
    expect(await entries()).toHaveLength(1);
  });

  it('come once for each, however many steps arrive at once, in one process and in two', async () => {
    const other = await Service.start();
    try {
      const ids = await Promise.all(Array.from({ length: 8 }, () => begin()));
      const steps = [CONTINUE, ANSWER, { action: 'keep' }, { action: 'cancel' }, { action: 'keep' }];
      const statuses = await Promise.all(
        Array.from({ length: 160 }, (_, n) => step(ids[n % ids.length], steps[n % 5], n % 3 ? service : other)),
      );
      expect(statuses.every((status) => [200, 409].includes(status))).toBe(true);
      const ended: { type: string; id: string }[] = await service.database.query(
        `SELECT 'session.' || status AS type, id FROM flow_sessions WHERE workspace_id = $1`,
        [acme.id],
      );
      const expected = ended.map(({ type, id }) => ({ type, flow_session_ids: [id], data: null }));
      expect(await entries()).toHaveLength(ids.length);
      expect(await entries()).toEqual(expect.arrayContaining(expected));
    } finally {
      await other.stop();
    }
  });

  it('come behind the start, and are announced once for each workspace of a batch', async () => {
    await setStartsAreEvents(service, acme, true);
    const ids = [await begin(), await begin()];
    const announced = announcements(service);
    await Promise.all(ids.map((id) => step(id, { action: 'cancel' })));
    expect(new Set(announced)).toEqual(new Set([acme.id]));
    expect((await entries()).map(({ type }) => type)).toEqual([
      'session.started',
      'session.started',
      'session.canceled',
      'session.canceled',
    ]);
  });

  it('are committed with the step, or neither is', async () => {
    const id = await begin();
    await withoutOutbox(service, acme, async () => {
      expect(await step(id, { action: 'keep' })).toBe(500);
      expect(await step(id, CONTINUE)).toBe(200);
    });
    expect((await service.client.get(`${SESSION}/${id}`)).body).toMatchObject({ status: 'in_progress' });

    await service.database.query(`ALTER TABLE session_steps ADD CONSTRAINT poison CHECK (action <> 'keep') NOT VALID`);
    try {
      expect(await step(id, { action: 'keep' })).toBe(500);
    } finally {
      await service.database.query('ALTER TABLE session_steps DROP CONSTRAINT poison');
    }
    expect(await entries()).toEqual([]);
    expect(await step(id, { action: 'keep' })).toBe(200);
    expect(await entries()).toEqual([await entryOf('session.saved', id)]);
  });
});
