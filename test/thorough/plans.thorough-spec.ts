import { randomUUID } from 'node:crypto';
import type { PoolClient, QueryConfig } from 'pg';
import { FanOut } from '../../src/events/deliveries/fan-out';
import { DeliveryQueue } from '../../src/events/deliveries/delivery-queue';
import { WebhookTransport } from '../../src/events/webhooks/webhook-transport';
import { ConnectionPool } from '../../src/platform/database/connection/connection-pool';
import { migrate } from '../../src/platform/database/schema/migrate';
import { Abandonment } from '../../src/events/abandonment/abandonment';
import { Retention } from '../../src/privacy/retention.service';
import { Pooler } from '../../src/platform/database/connection/pooler';

import { firstIdAt } from '../../src/platform/api/ids';
import { bound } from '../../src/platform/database/transaction/statement';
import { Transactions } from '../../src/platform/database/transaction/transactions';
import { SUM_KINDS } from '../../src/statistics/sums/daily-sum.entity';
import { DailySums, INSERT_SUMS } from '../../src/statistics/sums/daily-sums.service';
import { addWebhook, setStartsAreEvents } from '../outbox/outbox';
import { connected } from '../support/database';
import { Databases } from '../support/databases';
import { Service, type Tenant } from '../support/service';

const PUBLIC = '/api/v1/public';
const SESSION = '/api/v1/runtime/session';

const WORKSPACES = 2000;
/** The first of them have all the sessions. */
const WITH_SESSIONS = 3;
const SESSIONS = 20_000;
const EVENTS = 4000;

/** A database of many workspaces, a few of them large. Each row of a workspace follows from its number. */
const FILL = `
  CREATE TEMPORARY TABLE tenants AS
    SELECT n, gen_random_uuid() AS workspace_id, gen_random_uuid() AS flow_id FROM generate_series(1, ${WORKSPACES}) AS n;
  INSERT INTO workspaces SELECT workspace_id, 'Acme', ${SESSIONS}, now(), 0, false, '', '', '{}', false, now(), now() FROM tenants;
  INSERT INTO workspace_codes SELECT 'f' || lpad(to_hex(n), 7, '0'), workspace_id FROM tenants;
  INSERT INTO api_keys (workspace_id, id, hash, name, access, prefix, last_four, created_at)
    SELECT workspace_id, gen_random_uuid(), sha256(workspace_id::text::bytea || k::text::bytea), '-', 'write', '', '', now()
    FROM tenants, generate_series(1, 3) AS k;
  INSERT INTO customer_keys SELECT workspace_id, gen_random_uuid(), '-', 'HS256', '-', NULL, now()
    FROM tenants, generate_series(1, 3);
  INSERT INTO offers (workspace_id, id, status, name, offer_type, offer_value, offer_duration, heading, body, cta_accept, cta_decline,
      metadata, created_at, updated_at)
    SELECT workspace_id, gen_random_uuid(), 'active', '-', 'custom', '', '', '-', '', '-', '-', '{}', now(), now()
    FROM tenants, generate_series(1, 5);
  INSERT INTO flows (workspace_id, id, slug, status, current_version, metadata, created_at, updated_at)
    SELECT workspace_id, flow_id, 'flow-' || n, 'published', 1, '{}', now(), now() FROM tenants;
  INSERT INTO flow_versions (workspace_id, flow_id, version, name, product_name, cancellation_url, flow_mode, offer_ids, definition, created_at)
    SELECT workspace_id, flow_id, v, '-', '-', '-', 'simple', '{}', '{}', now() FROM tenants, generate_series(1, 3) AS v;
  INSERT INTO flow_slugs SELECT 'flow-' || n, workspace_id, flow_id FROM tenants;
  INSERT INTO flow_sessions (workspace_id, id, session_id, flow_id, flow_version, status, current_node_key,
      customer_id, customer_verified, idempotency_key, request_hash, created_at, updated_at, ended_at)
    SELECT workspace_id, gen_random_uuid(), gen_random_uuid(), flow_id, 1, (ARRAY['in_progress', 'saved', 'canceled'])[1 + s % 3],
      'start', 'customer-' || s, false, 'key-' || s, '', now(), now(), CASE WHEN s % 3 > 0 THEN now() END
    FROM tenants, generate_series(1, ${SESSIONS / WITH_SESSIONS}) AS s WHERE n <= ${WITH_SESSIONS};
  INSERT INTO flow_sessions (workspace_id, id, session_id, flow_id, flow_version, status, current_node_key, customer_id, customer_verified,
      subscription_id, created_at, updated_at, ended_at)
    SELECT workspace_id, overlay(gen_random_uuid()::text PLACING '00000000' FROM 1)::uuid, gen_random_uuid(), flow_id, 1, 'saved', 'start',
      'frequent', true, 'sub_frequent', now(), now(), now()
    FROM tenants, generate_series(1, ${SESSIONS / WITH_SESSIONS}) WHERE n <= ${WITH_SESSIONS};
  INSERT INTO session_steps (workspace_id, flow_session_id, position, node_key, node_type, action, created_at)
    SELECT workspace_id, flow_sessions.id, p, 'start', 'start', 'continue', now() FROM flow_sessions JOIN tenants USING (workspace_id), generate_series(1, 3) AS p;
  INSERT INTO webhooks (workspace_id, id, url, description, event_types, status, secret, failures, created_at, updated_at)
    SELECT workspace_id, gen_random_uuid(), '-', '', '{}', 'enabled', '', 0, now(), now() FROM tenants, generate_series(1, 2);
  INSERT INTO events (workspace_id, id, type, flow_session_id, created_at)
    SELECT workspace_id, gen_random_uuid(), 'session.saved', flow_sessions.id, now() FROM flow_sessions JOIN tenants USING (workspace_id) LIMIT ${EVENTS};
  INSERT INTO deliveries (workspace_id, event_id, recipient_id, transport, flow_session_id, status, attempts, next_attempt_at, created_at, updated_at)
    SELECT workspace_id, events.id, webhooks.id, 'webhook', flow_session_id, 'pending', 0, now(), now(), now()
    FROM events JOIN tenants USING (workspace_id) JOIN webhooks USING (workspace_id);
  INSERT INTO outbox (workspace_id, id, type, flow_session_ids, created_at)
    SELECT workspace_id, gen_random_uuid(), 'session.saved', ARRAY[flow_session_id], now() FROM events JOIN tenants USING (workspace_id);
  INSERT INTO previews (workspace_id, session_id, flow_id, flow_version, locale, attributes, arms, position, steps, created_at)
    SELECT workspace_id, gen_random_uuid(), flow_id, 1, 'en', '{}', '{}', '{}', '[]', now() FROM tenants;
  INSERT INTO idempotency_keys SELECT workspace_id, uuid_send(gen_random_uuid()), '', NULL, now() FROM tenants;
  ANALYZE`;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

/** Nodes that read all they get before they return a row, so that a limit above them bounds nothing. */
const READS_ALL = /Sort|Aggregate|Hash|Materialize|Bitmap/;
/**
 * The sessions of a workspace, or of a flow, without anything that tells them apart. Nothing else of a workspace grows
 * forever.
 */
const WIDE = /^\((\w+\.)?(workspace_id|flow_id) = [^()]*(\(\S+\))?\)$/;
const GROWING = /^(flow_sessions|session_steps|events)_/;

/** What a plan reads that grows with the table, the workspace or the flow. */
function unboundedReads(plan: Plan, isLimited = false): string[] {
  const { 'Node Type': type, 'Index Name': index, 'Index Cond': condition } = plan;
  const endsEarly = type === 'Limit' || (isLimited && !READS_ALL.test(type));
  const isWhole = type === 'Seq Scan' || (index && !condition && !endsEarly);
  const isWide = index && GROWING.test(index) && WIDE.test(condition ?? '') && !endsEarly;
  return [
    ...(isWhole ? [`all of ${plan['Relation Name']}`] : []),
    ...(isWide ? [`${index} where ${condition}`] : []),
    ...(plan.Plans ?? []).flatMap((child) => unboundedReads(child, endsEarly)),
  ];
}

/** The joins that a relation goes through. */
function joinsOf(plan: Plan, relation: string): string[] {
  const reads = (one: Plan): boolean => one['Relation Name'] === relation || (one.Plans ?? []).some(reads);
  const { 'Node Type': type, Plans: plans = [] } = plan;
  return [
    ...(/Join|Nested/.test(type) && reads(plan) ? [type] : []),
    ...plans.flatMap((one) => joinsOf(one, relation)),
  ];
}

function indexesOf({ 'Index Name': index, Plans: plans = [] }: Plan): string[] {
  return [...(index ? [index] : []), ...plans.flatMap(indexesOf)];
}

/** Leaves it to the test when Postgres learns how large its tables are. */
const NEVER_ANALYZED = `
  DO $$ DECLARE relation text; BEGIN
    FOR relation IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
      EXECUTE format('ALTER TABLE %I SET (autovacuum_enabled = off)', relation);
    END LOOP;
  END $$`;

/**
 * Every statement that the service prepares by name, planned as Postgres plans it once for all values. The plan stays
 * until the tables are analyzed again, however much they grow. So one that is made on the first day has to be good,
 * too.
 */
describe('The plan of each prepared statement', () => {
  const databases = new Databases();
  let url: string;
  let service: Service;
  let acme: Tenant;
  const indexesOfPrepared = new Map<string, string[]>();

  beforeAll(async () => {
    url = await databases.create();
    await migrate(url);
    await connected(url, (client) => client.query(NEVER_ANALYZED));
    service = await Service.start({ DATABASE_URL: url, DATABASE_POOL_SIZE: '6', SESSION_RETENTION_MONTHS: '1' });
    acme = await service.workspace();
    await useEverything();
  });
  afterAll(async () => {
    await service.stop();
    await databases.dropAll();
  });

  it('reads only the rows that it needs, on a database that is nearly empty and was never analyzed', async () => {
    expect(await reads()).toEqual([]);
  });

  it('reads only the rows that it needs, on a database that is full', async () => {
    expect(await reads(() => connected(url, (client) => client.query(FILL)))).toEqual([]);
    expect(await indexesOfPoll('')).toEqual([
      'flow_sessions_by_end',
      'flow_sessions_kept',
      'flow_sessions_open',
      'flow_sessions_without_end',
    ]);
    expect(await indexesOfPoll('&status=saved')).toEqual([
      'flow_sessions_by_end',
      'flow_sessions_kept',
      'flow_sessions_without_end',
    ]);
    expect(await indexesOfPoll('&status=abandoned')).toEqual(['flow_sessions_open']);
    expect(await indexesOfSearch('jo@example.com')).toEqual(['flow_sessions_by_customer', 'flow_sessions_by_email']);
    expect(await indexesOfSearch('01234567-89')).toEqual(['flow_sessions_by_customer', 'flow_sessions_pkey']);
    expect(await indexesOfList('customer_id=frequent')).toEqual(['flow_sessions_by_customer']);
    expect(indexesOfPrepared.get('steps-acceptances')).toEqual([
      'flow_sessions_accepted',
      'flow_sessions_accepted_of_subscription',
    ]);
    expect(await readsOfSumming()).toEqual([]);
    expect(await readsOfDeleting()).toEqual([]);
  });

  it('joins sessions and steps as a whole when an hour is summed of which Postgres expects one session', async () => {
    const [{ workspace_id, flow_id }] = await service.database.query(
      'SELECT workspace_id, flow_id FROM flow_sessions WHERE workspace_id <> $1 LIMIT 1',
      [acme.id],
    );
    // After the statistics of the tables.
    await connected(url, async (client) => {
      await client.query(
        `INSERT INTO flow_sessions (workspace_id, id, session_id, flow_id, flow_version, status, current_node_key, customer_verified,
            created_at, updated_at)
          SELECT $1, (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || right(gen_random_uuid()::text, 21))::uuid,
            gen_random_uuid(), $2, 1, 'in_progress', 'start', false, at, at
          FROM generate_series(1, 5000) AS n, LATERAL (SELECT now() - interval '3 days' + n * interval '1 ms') AS time (at)`,
        [workspace_id, flow_id],
      );
      await client.query(
        `INSERT INTO session_steps (workspace_id, flow_session_id, position, node_key, node_type, action, created_at)
          SELECT workspace_id, id, p, 'start', 'start', 'continue', now() FROM flow_sessions, generate_series(1, 3) AS p
          WHERE workspace_id = $1 AND created_at < now() - interval '2 days'`,
        [workspace_id],
      );
    });
    const [first, end] = [4, 2].map((days) => firstIdAt(new Date(Date.now() - days * 86_400_000)));
    const all = { flow: null, version: null, now: 'infinity', kinds: SUM_KINDS };
    const { text, values } = bound(INSERT_SUMS, workspace_id, { ...all, first, end, until: new Date() });
    const [explained] = await service.app
      .get(Transactions)
      .runLong(new AbortController().signal, 60_000, ({ query }) =>
        query<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(`EXPLAIN (FORMAT JSON) ${text}`, values),
      );
    const joins = joinsOf(explained['QUERY PLAN'][0].Plan, 'session_steps');
    expect(joins).toContain('Hash Join');
    expect(joins).not.toContain('Nested Loop');
  });

  /** Sends whatever could make the service prepare a statement. */
  async function useEverything(): Promise<void> {
    const { client } = acme;
    const offer = await acme.offer({ limit: { accepted: 9, within_days: 9 } });
    const flow = await acme.publishedFlow({ offer_ids: [offer.id] });
    const start = async (key?: string) => {
      const body = { flow_slug: flow.slug, customer: { id: 'jo' } };
      return (await client.post(`${SESSION}/init`, body, key ? { 'idempotency-key': key } : {})).body
        .session_id as string;
    };
    const key = randomUUID();
    const session = await start();
    await Promise.all([start(), start(key), start(randomUUID())]);
    await start(key);
    await service.operator.put(`/api/v1/admin/workspaces/${acme.id}`, { session_limit: 500 });
    await client.put(`${PUBLIC}/flows/${flow.id}`, { name: 'Leaving Acme Pro' });
    await client.put(`${PUBLIC}/flows/${flow.id}/draft`, { name: 'Leaving Acme' });
    await client.get(`${PUBLIC}/flows/${flow.id}/draft`);
    await Promise.all([start(), start(randomUUID())]);
    await setStartsAreEvents(service, acme, true);
    for (let n = 0; n < 2; n++) await start();

    const step = async (body: object, id = session) => {
      const { status } = await client.post(`${SESSION}/${id}/step`, body);
      expect([body, status]).toEqual([body, id === session ? 200 : 404]);
    };
    await step({ node_key: 'start', action: 'continue' });
    await step({ node_key: 'start', action: 'continue' });
    await step({ node_key: 'reason', action: 'answer', option: 'too_expensive', comment: 'Too dear.' });
    await client.get(`${SESSION}/${session}`);
    await step({ node_key: 'offer_1', action: 'accept' });
    await client.get(`${SESSION}/${session}`);

    // A session that is not found is looked for again, waiting for its lock.
    await step({ action: 'keep' }, session.slice(0, -1) + (session.endsWith('0') ? '1' : '0'));

    const { id: spare } = (await client.post(`${PUBLIC}/api-keys`, { name: 'Spare' })).body;
    await client.put(`${PUBLIC}/offers/${offer.id}`, { name: 'Third off' });
    await client.put(`${PUBLIC}/workspace`, { name: 'Acme Inc.' });
    const lists = ['offers', 'flows', 'sessions', 'api-keys', `flows/${flow.id}/versions`, `offers/${offer.id}/flows`];
    for (const list of lists) {
      const { next_cursor } = (await client.get(`${PUBLIC}/${list}?limit=1`)).body;
      if (next_cursor) await client.get(`${PUBLIC}/${list}?limit=1&cursor=${next_cursor}`);
    }
    for (const status of ['in_progress', 'abandoned', 'saved', 'canceled'])
      await client.get(`${PUBLIC}/sessions?status=${status}&flow_id=${flow.id}`);
    for (const path of [
      `offers/${offer.id}`,
      `flows/${flow.id}`,
      `flows/${flow.id}/versions/1`,
      `flows/${flow.id}/stats`,
      `flows/${flow.id}/stats/nodes`,
      'stats',
      'sessions?customer_id=jo',
      `sessions/${session}`,
      'workspace',
    ])
      expect([path, (await client.get(`${PUBLIC}/${path}`)).status]).toEqual([path, 200]);
    for (const path of ['customers/jo', `api-keys/${spare}`, `offers/${offer.id}`, `flows/${flow.id}`])
      expect([path, (await client.delete(`${PUBLIC}/${path}`)).status]).toEqual([path, 200]);
    await service.operator.get(`/api/v1/admin/workspaces/${acme.id}`);

    await addWebhook(service, acme);
    for (const interval of ['0', '25 hours']) {
      await service.letPass(interval, acme);
      await service.app.get(Abandonment).search();
    }
    expect((await client.send('POST', `${PUBLIC}/flows/${flow.id}/preview`)).status).toBe(201);
    await service.app.get(Retention).deleteOld();
    await useWorker();
  }

  /** Sends the statements of the worker, which is switched off here. */
  async function useWorker(): Promise<void> {
    const [webhook] = await service.database.query('SELECT workspace_id, id FROM webhooks WHERE workspace_id = $1', [
      acme.id,
    ]);
    await service.app.get(FanOut).empty(acme.id);
    const queue = service.app.get(DeliveryQueue);
    const transport = service.app.get(WebhookTransport);
    const target = (await transport.targetOf(webhook))!;
    await transport.mayProbe(webhook, 30);
    await queue.claim(target, { most: 1, which: 'tests' });
    const [claim] = (await queue.claim(target, { most: 1, which: 'all' })).claims;
    await queue.storeResults(acme.id, [
      { claim, outcome: 'delivered', delay: null, last_status: 200, last_error: null, isCounted: false },
    ]);
    await queue.failPending(webhook, 'The webhook is disabled.');
  }

  /**
   * What the plans read without bounds, by statement. Connections that are held don't end while the database is filled.
   */
  async function reads(fill?: () => Promise<unknown>): Promise<string[]> {
    const { pool } = service.app.get(ConnectionPool);
    const found = new Map<string, string[]>();
    // Each connection has the statements that it was used for.
    const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
    try {
      await fill?.();
      for (const client of clients) {
        for (const { name, plan } of await plansOf(client)) {
          const faults = unboundedReads(plan).map((read) => `${name} reads ${read}`);
          found.set(name, faults);
          indexesOfPrepared.set(name, indexesOf(plan).toSorted());
        }
      }
    } finally {
      for (const client of clients) client.release();
    }
    // A pooler keeps no statements.
    if (!service.app.get(Pooler).isPresent) expect(found.size).toBeGreaterThanOrEqual(15);
    return [...found.values()].flat();
  }

  /** What a poll of a large workspace is read by. */
  async function indexesOfPoll(filter: string): Promise<string[]> {
    const [{ since }] = await service.database.query('SELECT max(updated_at) AS since FROM flow_sessions');
    const query = `updated_since=${new Date(Number(since) + 1).toISOString()}${filter}`;
    return indexesOfList(query, (text) => text.includes('"updated_at" >='));
  }

  /** What a search in a large workspace is read by. */
  const indexesOfSearch = (search: string) => indexesOfList(`search=${search}`);

  /** What a list of sessions of a large workspace is read by. It is not prepared: Postgres plans it for its values. */
  async function indexesOfList(
    query: string,
    isRead = (text: string) => text.includes('"flow_sessions"') && text.includes('ORDER BY'),
  ): Promise<string[]> {
    const { database } = service;
    const [{ large }] = await database.query(
      'SELECT mode() WITHIN GROUP (ORDER BY workspace_id) AS large FROM flow_sessions',
    );
    const sent = await sentBy(() => acme.client.get(`${PUBLIC}/sessions?${query}`));
    const indexes: string[] = [];
    for (const { text, values } of sent.filter((one) => isRead(one.text))) {
      const [explained] = await database.query(
        `EXPLAIN (FORMAT JSON) ${text}`,
        values!.map((value) => (value === acme.id ? large : value)),
      );
      indexes.push(...indexesOf(explained['QUERY PLAN'][0].Plan));
    }
    return [...new Set(indexes)].toSorted();
  }

  /** The statements that are sent meanwhile. */
  async function sentBy(work: () => Promise<unknown>): Promise<QueryConfig[]> {
    const { pool } = service.app.get(ConnectionPool);
    const sent: QueryConfig[] = [];
    const watched = new Set<PoolClient>();
    const watch = (client: PoolClient) => {
      if (watched.has(client)) return;
      watched.add(client);
      const query = client.query.bind(client) as (...args: unknown[]) => unknown;
      const noting = (...args: [string | QueryConfig, unknown[]?]) => {
        sent.push(typeof args[0] === 'string' ? { text: args[0], values: args[1] } : args[0]);
        return query(...args);
      };
      Object.assign(client, { query: noting });
    };
    pool.on('acquire', watch);
    try {
      await work();
    } finally {
      pool.off('acquire', watch);
      for (const client of watched) delete (client as Partial<PoolClient>).query;
    }
    return sent;
  }

  /** What finding the next day of each workspace reads without bounds, besides the workspaces. */
  async function readsOfSumming(): Promise<string[]> {
    const sent = await sentBy(() => service.app.get(DailySums).sumNext());
    const { text } = sent.find((one) => one.text.includes('daily_sums'))!;
    const [explained] = await service.database.query(`EXPLAIN (FORMAT JSON) ${text}`);
    return unboundedReads(explained['QUERY PLAN'][0].Plan).filter((read) => !read.startsWith('all of'));
  }

  /** What deleting old sessions reads without bounds. */
  async function readsOfDeleting(): Promise<string[]> {
    const sent = await sentBy(() => service.app.get(Retention).deleteMonths());
    const { text, values } = sent.find((one) => one.text.includes('DELETE FROM session_steps'))!;
    const [explained] = await service.database.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
    return unboundedReads(explained['QUERY PLAN'][0].Plan);
  }

  async function plansOf(client: PoolClient): Promise<{ name: string; plan: Plan }[]> {
    const { rows } = await client.query<{ name: string; explain: string }>(
      `SELECT name, format('EXPLAIN (FORMAT JSON) EXECUTE %I(%s)', name,
          array_to_string(array_fill('NULL'::text, ARRAY[cardinality(parameter_types)]), ', ')) AS explain
        FROM pg_prepared_statements`,
    );
    const plans: { name: string; plan: Plan }[] = [];
    await client.query('DISCARD PLANS; BEGIN; SET LOCAL plan_cache_mode = force_generic_plan');
    for (const { name, explain } of rows) {
      const explained = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(explain);
      plans.push({ name, plan: explained.rows[0]['QUERY PLAN'][0].Plan });
    }
    await client.query('ROLLBACK');
    return plans;
  }
});
