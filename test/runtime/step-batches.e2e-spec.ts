import type { Client as Connection } from 'pg';
import type { Answer } from '../support/client';
import { connected, untilBlocking, workerDatabaseUrl } from '../support/database';
import { Service, serviceForAll, workspaceForEach } from '../support/service';
import { until } from '../support/until';

const SESSION = '/api/v1/runtime/session';
/** As many batches are committed at a time. */
const LANES = 2;
const CONTINUE = { node_key: 'start', action: 'continue' };

describe('Steps that wait', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);
  let flow: { slug: string };

  beforeEach(async () => {
    flow = await acme.publishedFlow({ offer_ids: [(await acme.offer({ body: '{"a",\\NULL}' })).id] });
  });

  async function begin(slug = flow.slug): Promise<string> {
    return (await service.client.post(`${SESSION}/init`, { flow_slug: slug })).body.session_id as string;
  }
  const beginAll = (count: number) => Promise.all(Array.from({ length: count }, () => begin()));
  const step = (id: string, body: object, one = service) => one.client.post(`${SESSION}/${id}/step`, body);
  /** Where it stands, as a step answers it. */
  const where = async (id: string) => {
    const { branding: _, ...state } = (await service.client.get(`${SESSION}/${id}`)).body;
    return state;
  };
  const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status);

  /** The steps of sessions, oldest first. */
  const log = (...ids: string[]): Promise<Record<string, unknown>[]> =>
    service.database.query(
      `SELECT step.*, step.xmin::text AS transaction FROM session_steps step JOIN flow_sessions session
        ON session.workspace_id = step.workspace_id AND session.id = step.flow_session_id
        WHERE session.session_id = ANY ($1) ORDER BY position`,
      [ids],
    );

  async function untilWaiting(count: number): Promise<void> {
    const line = `retention_session_step_queue_length ${count}\n`;
    await until(
      async () => (await service.client.get('/metrics')).body as string,
      (text) => text.includes(line),
    );
  }

  /** Sends the requests, each when the last one has arrived, and makes one batch of them. */
  async function inOneBatch(requests: (() => Promise<Answer>)[]): Promise<Answer[]> {
    const others = await beginAll(LANES);
    return connected(workerDatabaseUrl(), async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE flow_sessions IN EXCLUSIVE MODE');
      const before = others.map((id) => step(id, CONTINUE));
      await untilBlocking(client, LANES);
      const answers: Promise<Answer>[] = [];
      for (const send of requests) {
        answers.push(send());
        await untilWaiting(answers.length);
      }
      await client.query('COMMIT');
      expect(statusesOf(await Promise.all(before))).toEqual(before.map(() => 200));
      return Promise.all(answers);
    });
  }

  /** Locks a session in a transaction of the connection. */
  async function lock(client: Connection, ...ids: string[]): Promise<void> {
    await client.query('BEGIN');
    await client.query('SELECT FROM flow_sessions WHERE session_id = ANY ($1) FOR NO KEY UPDATE', [ids]);
  }

  /** Adds a rule that makes Postgres refuse the comment "poison". */
  async function withPoison(work: () => Promise<void>): Promise<void> {
    await service.database.query(`ALTER TABLE session_steps ADD CONSTRAINT poison CHECK (comment <> 'poison')`);
    try {
      await work();
    } finally {
      await service.database.query('ALTER TABLE session_steps DROP CONSTRAINT poison');
    }
  }

  it('share a transaction', async () => {
    const ids = await beginAll(5);
    const answers = await inOneBatch(ids.map((id) => () => step(id, CONTINUE)));
    expect(answers.map(({ body }) => [body.session_id, body.node.key])).toEqual(ids.map((id) => [id, 'reason']));
    const steps = await log(...ids);
    expect(steps).toHaveLength(ids.length);
    expect(new Set(steps.map(({ transaction }) => transaction)).size).toBe(1);
    expect(await Promise.all(ids.map(where))).toEqual(answers.map(({ body }) => body));
  });

  it('are decided one after another in one session, and show the offer of its moment', async () => {
    const id = await begin();
    const answer = { node_key: 'reason', action: 'answer', option: 'other', comment: `NULL,{"\\'` };
    const requests = [
      CONTINUE,
      answer,
      answer,
      { ...answer, option: 'switching' },
      { node_key: 'offer_1', action: 'confirm' },
      { node_key: 'offer_1', action: 'accept' },
      { action: 'cancel' },
      answer,
    ];
    const answers = await inOneBatch(requests.map((request) => () => step(id, request)));
    expect(statusesOf(answers)).toEqual([200, 200, 200, 409, 400, 200, 409, 200]);
    const [, shown, again, conflict, , saved, late, muchLater] = answers.map(({ body }) => body);
    expect(shown.node.config).toMatchObject({ body: '{"a",\\NULL}' });
    expect(again).toEqual(shown);
    expect(conflict.session).toEqual(shown);
    expect(late.session).toEqual(saved);
    expect(muchLater).toEqual(shown);
    expect(await where(id)).toEqual(saved);
    const steps = await log(id);
    expect(steps.map(({ position, action, comment }) => [position, action, comment])).toEqual([
      [1, 'continue', null],
      [2, 'answer', answer.comment],
      [3, 'accept', null],
    ]);
    expect(new Set(steps.map(({ transaction }) => transaction)).size).toBe(1);
  });

  it('do not fail for one of them: an unknown session, a step that does not fit, an error of Postgres', async () => {
    const [atSurvey, wrong, ...others] = await beginAll(5);
    await step(atSurvey, CONTINUE);
    const unknown = `${wrong.slice(0, -12)}${others[0].slice(-12)}`;
    await withPoison(async () => {
      const poison = { node_key: 'reason', action: 'answer', option: 'other', comment: 'poison' };
      const answers = await inOneBatch([
        () => step(others[0], CONTINUE),
        () => step(unknown, CONTINUE),
        () => step(atSurvey, poison),
        () => step(wrong, { node_key: 'reason', action: 'continue' }),
        () => step(others[1], CONTINUE),
        () => step(others[2], CONTINUE),
      ]);
      expect(statusesOf(answers)).toEqual([200, 404, 500, 409, 200, 200]);
    });
    expect(await log(...others)).toHaveLength(others.length);
    expect(await log(atSurvey)).toHaveLength(1);
    expect((await where(atSurvey)).node.key).toBe('reason');
  });

  it('do not wait for sessions that somebody has locked', async () => {
    const [locked, together, ...others] = await beginAll(8);
    await connected(workerDatabaseUrl(), async (client) => {
      await lock(client, locked, together);
      let isAnswered = false;
      const waiting = [step(locked, CONTINUE).finally(() => (isAnswered = true))];
      await untilBlocking(client);
      const before = step(others[0], CONTINUE);
      waiting.push(step(together, CONTINUE));
      const answers = await Promise.all([before, ...others.slice(1).map((id) => step(id, CONTINUE))]);
      expect(statusesOf(answers)).toEqual(others.map(() => 200));
      // Who waits for a lock is turned away after 3 seconds: the others were faster.
      expect(isAnswered).toBe(false);
      await client.query('COMMIT');
      expect(statusesOf(await Promise.all(waiting))).toEqual([200, 200]);
    });
    expect(await log(locked, together)).toHaveLength(2);
  });

  it('are 503 for a session that stays locked, and it can be repeated', async () => {
    const id = await begin();
    await connected(workerDatabaseUrl(), async (client) => {
      await lock(client, id);
      expect((await step(id, CONTINUE)).status).toBe(503);
      await client.query('COMMIT');
    });
    expect((await step(id, CONTINUE)).body.node.key).toBe('reason');
  });

  it('have one outcome and a log without gaps or doubles, in one process and in two', async () => {
    const other = await Service.start();
    try {
      for (const services of [[service], [service, other]]) {
        const id = await begin();
        const answers = await Promise.all(
          Array.from({ length: 64 }, (_, n) => {
            const requests = [CONTINUE, { node_key: 'reason', action: 'answer', option: 'other', comment: `${n}` }];
            const ends = [{ action: 'keep' }, { action: 'cancel' }, { node_key: 'offer_1', action: 'accept' }];
            return step(id, [...requests, ...ends][n % 5], services[n % services.length]);
          }),
        );
        expect(answers.every(({ status }) => [200, 409].includes(status))).toBe(true);
        const ends = answers.map(({ body }) => body.status as string).filter((status) => /saved|canceled/.test(status));
        expect([...new Set(ends)]).toEqual([(await where(id)).status]);
        const steps = await log(id);
        expect(steps.map(({ position }) => position)).toEqual(steps.map((_, index) => index + 1));
        expect(new Set(steps.map(({ node_key }) => node_key)).size).toBe(steps.length);
      }
    } finally {
      await other.stop();
    }
  });
});
