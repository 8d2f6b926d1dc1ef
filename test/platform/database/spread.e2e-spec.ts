import { randomUUID } from 'node:crypto';
import { Citus } from '../../../src/platform/database/connection/citus';
import { migrate } from '../../../src/platform/database/schema/migrate';
import { Retention } from '../../../src/privacy/retention.service';
import { Visitor } from '../../events/deliveries/visitor';
import { Subscriber, untilIdle } from '../../events/deliveries/subscriber';
import { Databases } from '../../support/databases';
import { TO_LOOPBACK } from '../../support/receiver';
import { Service, type Tenant } from '../../support/service';

const INIT = '/api/v1/runtime/session/init';

/**
 * Postgres with Citus' catalogue, which makes the service use the statements for a spread database. They mean the same
 * here.
 */
describe('A database that Citus spreads over servers', () => {
  const databases = new Databases();
  let service: Service;
  let acme: Tenant;
  let slug: string;

  beforeAll(async () => {
    const url = await databases.create();
    await migrate(url);
    service = await Service.start({ DATABASE_URL: url });
    await service.database.query('CREATE TABLE pg_dist_partition (logicalrelid regclass)');
    await service.database.query(`INSERT INTO pg_dist_partition VALUES ('workspaces')`);
    await service.stop();
    service = await Service.start({ DATABASE_URL: url, ...TO_LOOPBACK });
    expect(service.app.get(Citus).isPresent).toBe(true);
  });
  afterAll(async () => {
    await service.stop();
    await databases.dropAll();
  });
  beforeEach(async () => {
    acme = await service.workspace();
    ({ slug } = await acme.publishedFlow());
  });

  const start = (key?: string) => service.client.post(INIT, { flow_slug: slug }, key ? { 'idempotency-key': key } : {});
  const several = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work));

  it('starts sessions up to the limit and no further, each counted', async () => {
    await service.operator.put(`/api/v1/admin/workspaces/${acme.id}`, { session_limit: 30 });
    const statuses = (await several(50, () => start())).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(30);
    expect(statuses.filter((status) => status === 403)).toHaveLength(20);
    expect((await acme.usage()).sessions_used).toBe(30);
    const [{ count }] = await service.database.query(
      'SELECT count(*)::integer AS count FROM flow_sessions WHERE workspace_id = $1 AND created_at = updated_at',
      [acme.id],
    );
    expect(count).toBe(30);
  });

  it('starts one session for one idempotency key, however often it is sent at a time', async () => {
    const key = randomUUID();
    const answers = await several(20, () => start(key));
    expect(new Set(answers.map(({ body }) => body.session_id)).size).toBe(1);
    expect((await acme.usage()).sessions_used).toBe(1);
  });

  it('takes each step once, and keeps steps in order', async () => {
    const visitor = await Visitor.begin(service, { slug }, { id: 'customer' });
    const step = { node_key: 'start', action: 'continue' };
    const path = `/api/v1/runtime/session/${visitor.sessionId}/step`;
    const answers = await several(8, () => service.client.post(path, step));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.node.key}`)).size).toBe(1);
    await visitor.cancel();
    const id = await visitor.recordId();
    const { body } = await acme.client.get(`/api/v1/public/sessions/${id}`);
    expect(body.steps.map(({ node_key, action }: Record<string, string>) => [node_key, action])).toEqual([
      ['start', 'continue'],
      [body.steps[1].node_key, 'cancel'],
    ]);
    expect(body.status).toBe('canceled');
  });

  it('delivers events of starts, ends and limits, and deletes old ones', async () => {
    await service.operator.put(`/api/v1/admin/workspaces/${acme.id}`, { session_limit: 5 });
    const subscriber = await Subscriber.of(acme, [
      ...(['session.started', 'session.canceled', 'workspace.limit_approaching', 'workspace.limit_reached'] as const),
    ]);
    for (let n = 0; n < 5; n++) await Visitor.cancels(service, { slug });
    await subscriber.untilReceived(12);
    expect(subscriber.receiver.types.toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 'session.canceled'),
      ...Array.from({ length: 5 }, () => 'session.started'),
      'workspace.limit_approaching',
      'workspace.limit_reached',
    ]);
    await untilIdle(service);
    await service.database.query(`UPDATE events SET created_at = created_at - interval '1 year'`);
    await service.app.get(Retention).deleteOld();
    expect(await service.database.query('SELECT FROM events')).toEqual([]);
    await Subscriber.stopAll(service);
  });
});
