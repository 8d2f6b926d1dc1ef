import { randomUUID } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource, type EntityManager } from 'typeorm';
import { createApp } from '../../src/app/app';
import { idFrom, idTime } from '../../src/platform/api/ids';
import { Config } from '../../src/settings/config';
import { Jobs } from '../../src/platform/database/queue/jobs.service';
import { retrying } from '../../src/platform/database/transaction/transactions';
import { Passwords } from '../../src/people/sign-in/passwords';
import { Client } from './client';
import { workerDatabaseUrl } from './database';
import { ADMIN_API_KEY, ENCRYPTION_KEY, WITHOUT_LIMITS } from './environment';

/** What a password costs in tests: the least that scrypt takes. */
const CHEAP = { N: 2, r: 1, p: 1 };

/** The service, listening on a port of its own, on the database of this worker. */
export class Service {
  private constructor(
    readonly app: NestFastifyApplication,
    /** Without a key. */
    readonly client: Client,
    /** Its log since the start, by line. */
    readonly log: string[],
  ) {}

  static async start(env: NodeJS.ProcessEnv = {}): Promise<Service> {
    const config = Config.fromEnv({
      DATABASE_URL: workerDatabaseUrl(),
      ADMIN_API_KEY,
      ENCRYPTION_KEY,
      LOG_LEVEL: 'fatal',
      // Tests of what happens in the background turn it on.
      BACKGROUND_JOBS: 'false',
      ...WITHOUT_LIMITS,
      ...env,
    });
    const log: string[] = [];
    const app = await createApp(config, { write: (line) => log.push(line) });
    app.get(Passwords).cost = CHEAP;
    await app.listen(0, '127.0.0.1');
    return new Service(app, new Client(await app.getUrl()), log);
  }

  stop(): Promise<void> {
    return this.app.close();
  }

  /** A client with the operator's key. */
  get operator(): Client {
    return this.client.with(ADMIN_API_KEY);
  }

  get database(): DataSource {
    return this.app.get(DataSource);
  }

  /** Lets time pass for a workspace: whatever is dated in its rows is so much longer ago. Its month stays. */
  async letPass(interval: string, { id }: { id: string }): Promise<void> {
    const tables: { table_name: string; columns: string[] }[] = await this.database.query(
      `SELECT table_name, array_agg(column_name::text) AS columns FROM information_schema.columns
        WHERE table_schema = 'public' AND data_type = 'timestamp with time zone' AND column_name <> 'usage_period'
          AND table_name NOT IN ('people', 'person_sessions', 'one_time_links', 'migrations')
        GROUP BY table_name`,
    );
    // At once, because something may be sent meanwhile.
    await this.transaction(async (manager) => {
      for (const { table_name, columns } of tables) {
        const changes = columns.map((column) => `${column} = ${column} - $1::interval`).join(', ');
        const owner = table_name === 'workspaces' ? 'id' : 'workspace_id';
        await manager.query(`UPDATE ${table_name} SET ${changes} WHERE ${owner} = $2`, [interval, id]);
      }
      await renameSessions('workspace_id', id, manager);
      await forgetSums('workspace_id', id, manager);
    });
    const { backgroundJobs, maxDeliveriesInFlight } = this.app.get(Config);
    if (backgroundJobs && maxDeliveriesInFlight > 0) this.app.get(Jobs).runNow('Deliveries');
  }

  /** Lets the month end that a workspace counted in, and so many more. */
  async endMonth({ id }: { id: string }, more = 0): Promise<void> {
    await this.database.query(
      `UPDATE workspaces SET usage_period = date_trunc('month', usage_period - make_interval(months => $2), 'UTC')
        WHERE id = $1`,
      [id, 1 + more],
    );
  }

  /** Lets a session have begun, and taken its steps, at another time. */
  async begunAt(time: string, sessionId: string): Promise<void> {
    await this.transaction(async (manager) => {
      await manager.query(
        `WITH session AS (
          UPDATE flow_sessions SET created_at = $1, updated_at = $1,
            ended_at = CASE WHEN ended_at IS NOT NULL THEN $1::timestamptz END
          WHERE session_id = $2 RETURNING workspace_id, id
        )
        UPDATE session_steps step SET created_at = $1 FROM session
        WHERE step.workspace_id = session.workspace_id AND step.flow_session_id = session.id`,
        [time, sessionId],
      );
      await renameSessions('session_id', sessionId, manager);
      await forgetSums('session_id', sessionId, manager);
    });
  }

  /** Waits for what runs in the background, and is tried again if that waits for it, too. */
  private transaction(work: (manager: EntityManager) => Promise<void>): Promise<void> {
    return retrying(() => this.database.transaction(work));
  }

  /** The browser of a new person with a role in a workspace, who is signed in. */
  async person({ id }: { id: string }, role = 'owner', email = `${randomUUID()}@acme.example`): Promise<Client> {
    const invitation = { email, role };
    const { link } = (await this.operator.post(`/api/v1/admin/workspaces/${id}/invitations`, invitation)).body;
    const acceptance = { token: tokenIn(link), name: `The ${role}`, password: PASSWORD };
    return this.client.signedIn(await this.client.post('/api/v1/auth/invitation/accept', acceptance));
  }

  /** A new workspace, as a client with its key. */
  async workspace(settings: object = {}): Promise<Tenant> {
    const { body } = await this.operator.post('/api/v1/admin/workspaces', { name: 'Acme', ...settings });
    return new Tenant(body.id, body.api_key.key, this.client.with(body.api_key.key));
  }
}

/** One service for the tests of a `describe`. */
export function serviceForAll(start: () => Promise<Service> = () => Service.start()): Service {
  const service = Object.create(Service.prototype) as Service;
  beforeAll(async () => {
    Object.assign(service, await start());
  });
  afterAll(() => service.stop());
  return service;
}

/** A new workspace for each test of a `describe`. */
export function workspaceForEach(service: Service, settings?: object): Tenant {
  const tenant = Object.create(Tenant.prototype) as Tenant;
  beforeEach(async () => {
    Object.assign(tenant, await service.workspace(settings));
  });
  return tenant;
}

/** The password of every person in a test. */
export const PASSWORD = 'correct horse battery';

/** What is secret of a link. */
export const tokenIn = (link: string): string => link.split('/').at(-1)!;

/** A workspace in a test, with what its tests need again and again. */
export class Tenant {
  constructor(
    readonly id: string,
    readonly key: string,
    readonly client: Client,
  ) {}

  async offer(fields: object = {}): Promise<{ id: string; name: string }> {
    const offer = { name: 'Half price', offer_type: 'discount_percentage', ...fields };
    return (await this.client.post('/api/v1/public/offers', offer)).body;
  }

  async flow(fields: object = {}): Promise<{ id: string; name: string; slug: string }> {
    const flow = {
      name: 'Leaving Acme',
      product_name: 'Acme Pro',
      cancellation_url: 'https://acme.example/cancel',
      ...fields,
    };
    return (await this.client.post('/api/v1/public/flows', flow)).body;
  }

  async publishedFlow(fields: object = {}): Promise<{ id: string; name: string; slug: string }> {
    const flow = await this.flow(fields);
    await this.client.put(`/api/v1/public/flows/${flow.id}`, { status: 'published' });
    return flow;
  }

  async usage(): Promise<{ session_limit: number; sessions_used: number; period_start: string; period_end: string }> {
    return (await this.client.get('/api/v1/public/workspace')).body.usage;
  }
}

/** Gives sessions the ids that go with their created_at, and their steps, events and deliveries the same. */
export async function renameSessions(
  column: 'workspace_id' | 'session_id',
  value: string,
  manager: EntityManager,
): Promise<void> {
  await manager.query(
    `WITH renamed AS (
      SELECT workspace_id, id, ${idFrom(idTime('created_at'), 'id::text')} AS new_id
      FROM flow_sessions WHERE ${column} = $1
    ), steps AS (
      UPDATE session_steps step SET flow_session_id = new_id FROM renamed
      WHERE step.workspace_id = renamed.workspace_id AND step.flow_session_id = renamed.id
    ), fulfilments AS (
      UPDATE fulfilments job SET flow_session_id = new_id FROM renamed
      WHERE job.workspace_id = renamed.workspace_id AND job.flow_session_id = renamed.id
    ), events AS (
      UPDATE events event SET flow_session_id = new_id FROM renamed
      WHERE event.workspace_id = renamed.workspace_id AND event.flow_session_id = renamed.id
    ), deliveries AS (
      UPDATE deliveries delivery SET flow_session_id = new_id FROM renamed
      WHERE delivery.workspace_id = renamed.workspace_id AND delivery.flow_session_id = renamed.id
    )
    UPDATE flow_sessions session SET id = new_id FROM renamed
    WHERE session.workspace_id = renamed.workspace_id AND session.id = renamed.id`,
    [value],
  );
}

/** Sums contain sessions by their time. They are added up again. */
export async function forgetSums(
  column: 'workspace_id' | 'session_id',
  value: string,
  manager: EntityManager,
): Promise<void> {
  await manager.query(
    `DELETE FROM daily_sums WHERE workspace_id IN (SELECT workspace_id FROM flow_sessions WHERE ${column} = $1)`,
    [value],
  );
}
