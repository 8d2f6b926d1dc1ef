import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { randomFrom } from '../statistics/histories';
import { Client } from '../support/client';
import { Databases } from '../support/databases';
import { ADMIN_API_KEY } from '../support/environment';
import { renameSessions } from '../support/service';
import { ServiceProcess } from '../support/service-process';
import { until } from '../support/until';
import { type Lived, numbersOf, type Payment, UNKNOWN } from './lived';

const PUBLIC = '/api/v1/public';
const RUNTIME = '/api/v1/runtime/session';
const CUSTOMERS = 12;
const WALKS_A_DAY = 40;
/** The clock moves on so many days in each night. In the last, what was before is deleted. */
const NIGHTS = [1, 1, 1, 31, 1, 70];
const LAST_DAY = NIGHTS.length;
const DAY_MS = 86_400_000;

describe('The numbers of a service with two processes', () => {
  const databases = new Databases();
  let database: DataSource;
  let env: Record<string, string>;
  let services: { process: ServiceProcess; address: string }[];
  let acme: { id: string; key: string };
  let random: () => number;

  beforeEach(async () => {
    random = randomFrom(7);
    const url = await databases.create();
    env = { DATABASE_URL: url };
    services = [await started(), await started()];
    database = await new DataSource({ type: 'postgres', url }).initialize();
    const { body } = await request(ADMIN_API_KEY, 'POST', '/api/v1/admin/workspaces', { name: 'Acme' });
    acme = { id: body.id, key: body.api_key.key };
  });
  afterEach(async () => {
    await database?.destroy();
    await ServiceProcess.killAll();
    await databases.dropAll();
  });

  it('are what customers did, through kills, erasures, versions, midnights, a month and the deletion of old sessions', async () => {
    const { id: offerId } = await manage('POST', '/offers', { name: 'Half price', offer_type: 'discount_percentage' });
    const flow = await manage('POST', '/flows', {
      name: 'Leaving Acme',
      product_name: 'Acme Pro',
      cancellation_url: 'https://acme.example/cancel',
      estimated_monthly_value: 10,
      flow_mode: 'advanced',
      definition: definition(offerId, 'Why?'),
    });
    await manage('PUT', `/flows/${flow.id}`, { status: 'published' });

    const sessions: Lived[] = [];
    const payments: Payment[] = [];
    const mornings: number[] = [];
    for (const [day, nights] of [...NIGHTS, 0].entries()) {
      mornings.push(Date.now());
      if (day % 2 === 1)
        await manage('PUT', `/flows/${flow.id}`, { definition: definition(offerId, `Why, on day ${day}?`) });
      sessions.push(...(await liveThrough(day, flow.slug)));
      await erase(`cus_${day}`, sessions);
      for (let customer = CUSTOMERS - 4; customer < CUSTOMERS; customer += 2) {
        payments.push({ customer: `cus_${customer}`, day });
        const paid = { customer_id: `cus_${customer}`, type: 'paid', at: new Date().toISOString() };
        await manage('POST', '/outcomes', { id: `in_${day}_${customer}`, ...paid, amount: 700, currency: 'EUR' });
      }
      const today = { day, daysAgo: daysAgo(day) };
      for (const from of [0, Math.floor(random() * (day + 1)), day]) {
        const isDeleted = day === LAST_DAY && from < LAST_DAY;
        const time = new Date(mornings[from] - today.daysAgo(from) * DAY_MS).toISOString();
        // Of sessions that are deleted, whole days are known.
        const query = `?from=${isDeleted ? time.slice(0, 10) : time}`;
        const numbers = numbersOf(sessions, payments, from, today, offerId);
        // An experiment is counted since it began, so it is not known any more, whatever the span.
        const ofSpan = day === LAST_DAY ? { ...numbers, splits: UNKNOWN.splits } : numbers;
        const expected = isDeleted ? { ...numbers, ...UNKNOWN } : ofSpan;
        for (const { address } of services) {
          const { body } = await new Client(address, acme.key).get(`${PUBLIC}/flows/${flow.id}/stats${query}`);
          expect({ day, from, ...body }).toMatchObject({ day, from, ...expected });
        }
      }
      const isLastNight = day === LAST_DAY - 1;
      if (isLastNight) env.SESSION_RETENTION_MONTHS = '1';
      if (nights > 0) await sleep(nights);
      const old = () => database.query('SELECT FROM flow_sessions');
      if (isLastNight) await until(old, (rows) => rows.length === 0);
    }
  });

  /** How many days ago another day was. */
  const daysAgo = (today: number) => (day: number) => NIGHTS.slice(day, today).reduce((sum, nights) => sum + nights, 0);

  const definition = (offerId: string, title: string) => ({
    entry: 'reason',
    nodes: [
      {
        key: 'reason',
        type: 'survey',
        config: {
          title,
          options: [
            { value: 'price', label: 'Price', next: 'test' },
            { value: 'moving', label: 'Moving' },
          ],
        },
        next: 'sure',
      },
      {
        key: 'test',
        type: 'split',
        config: {
          ways: [
            { name: 'discount', weight: 50, next: 'discount' },
            { name: 'nothing', weight: 50, next: 'sure', control: true },
          ],
        },
      },
      { key: 'discount', type: 'offer', config: { offer_id: offerId }, next: 'sure' },
      { key: 'sure', type: 'confirm', config: { title: 'Sure?' } },
    ],
  });

  /** Customers come, eight at a time. Meanwhile one of the processes is killed, and started again. */
  async function liveThrough(day: number, slug: string): Promise<Lived[]> {
    const lived: Lived[] = [];
    let begun = 0;
    const walks = async () => {
      while (begun < WALKS_A_DAY) {
        if (++begun === WALKS_A_DAY / 2) void kill(day % 2);
        lived.push(await walk(day, slug));
      }
    };
    await Promise.all(Array.from({ length: 8 }, walks));
    return lived;
  }

  async function walk(day: number, slug: string): Promise<Lived> {
    const number = Math.floor(random() * (CUSTOMERS + 4));
    const customer = number < CUSTOMERS ? `cus_${number}` : undefined;
    const subscription = number % 2 === 0 ? { amount: 1000, currency: 'EUR', interval: 'month' } : undefined;
    const start = { flow_slug: slug, ...(customer && { customer: { id: customer, subscription } }) };
    const begun = await request(undefined, 'POST', `${RUNTIME}/init`, start, { 'idempotency-key': randomUUID() });
    let node = begun.body.flow.entry_node.key as string | undefined;
    let isOver = false;
    while (node && random() < 0.85) {
      const action = actionAt(node);
      const { status, body } = await request(undefined, 'POST', `${RUNTIME}/${begun.body.session_id}/step`, {
        node_key: node,
        ...action,
      });
      // The step was taken, and its answer was lost with the process.
      if (status === 409) break;
      isOver = body.status !== 'in_progress';
      node = body.node?.key;
    }
    const record = await manage('GET', `/sessions/${begun.body.session_id}`);
    if (isOver) expect(record.status).not.toBe('in_progress');
    return { customer, day, isWorth: customer !== undefined && number % 2 === 0, record };
  }

  function actionAt(node: string): object {
    if (random() < 0.15) return { action: random() < 0.5 ? 'keep' : 'cancel' };
    if (node === 'reason') return { action: 'answer', option: random() < 0.7 ? 'price' : 'moving' };
    if (node === 'discount') return { action: random() < 0.5 ? 'accept' : 'decline' };
    return { action: 'confirm' };
  }

  /** The process is killed while it erases, and called again. From now on the same id is somebody else. */
  async function erase(customer: string, sessions: Lived[]): Promise<void> {
    const erased = manage('DELETE', `/customers/${customer}`);
    await kill(1);
    await erased;
    await manage('DELETE', `/customers/${customer}`);
    for (const session of sessions) if (session.customer === customer) session.customer = `erased ${customer}`;
  }

  /** All stops, and starts again some days later: all that is stored happened some days earlier. */
  async function sleep(days: number): Promise<void> {
    for (const { process } of services) process.signal('SIGKILL');
    await Promise.all(services.map(({ process }) => process.exited));
    const columns: { table_name: string; column_name: string }[] = await database.query(
      `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'
        AND data_type IN ('timestamp with time zone', 'date') AND column_name <> 'usage_period'`,
    );
    await database.transaction(async (manager) => {
      for (const { table_name, column_name } of columns) {
        // By way of long ago, so that no row takes the day of another.
        for (const passed of [10_000 + days, -10_000]) {
          await manager.query(`UPDATE ${table_name} SET ${column_name} = ${column_name} - $1 * interval '1 day'`, [
            passed,
          ]);
        }
      }
      await renameSessions('workspace_id', acme.id, manager);
    });
    services = [await started(), await started()];
  }

  async function started() {
    const process = ServiceProcess.start(env);
    return { process, address: await process.address() };
  }

  async function kill(index: number): Promise<void> {
    services[index].process.signal('SIGKILL');
    await services[index].process.exited;
    services[index] = await started();
  }

  // oxlint-disable-next-line no-explicit-any
  async function manage(method: string, path: string, body?: object): Promise<any> {
    const answer = await request(acme.key, method, PUBLIC + path, body);
    expect([answer.status < 300, answer.body.errors]).toEqual([true, undefined]);
    return answer.body;
  }

  /** Asks any process again until one answers. */
  async function request(
    key: string | undefined,
    method: string,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ) {
    for (;;) {
      const { address } = services[Math.floor(random() * 2)];
      try {
        const answer = await new Client(address, key).send(method, path, {
          headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
          body: body && JSON.stringify(body),
        });
        if (answer.status !== 503) return answer;
      } catch (error) {
        // The process was killed.
        if ((error as Error).message !== 'fetch failed') throw error;
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }
});
