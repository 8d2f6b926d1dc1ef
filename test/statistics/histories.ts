import { randomUUID } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import type { FlowSession } from '../../src/sessions/flow-session.entity';
import { firstIdAt } from '../../src/platform/api/ids';
import { readTime } from '../../src/platform/database/time';
import { Transactions } from '../../src/platform/database/transaction/transactions';
import { countCustomersOfArms } from '../../src/statistics/experiments/arm-customers';
import { countCustomers } from '../../src/statistics/customers';
import { customersIn, valueOf } from '../../src/statistics/money/value';
import type { ValueDto } from '../../src/statistics/dto/value.dto';
import { groupBy } from '../../src/platform/common/group-by';
import { pick } from '../../src/platform/common/pick';
import { countLasting } from '../../src/statistics/lasting/lasting';
import { SUM_KINDS } from '../../src/statistics/sums/daily-sum.entity';
import { countDays, countFacts } from '../../src/statistics/sums/facts';
import { theServiceIn } from '../../src/tenancy/work/tenant';
import { Reader } from '../../src/tenancy/work/work';
import type { Service } from '../support/service';
import { type SpanOf, type Counts, plainCount, plainSince, sorted, splitsOf, VERSION } from './plain-count';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export interface History {
  workspaceId: string;
  /** Each has the versions 1 and 2. */
  flowIds: string[];
  offerIds: string[];
  customers: number;
  sessions: number;
  /** The sessions began between these times. */
  from: Date;
  to: Date;
  random: () => number;
}

/** Writes sessions of the past with their steps, as the service would have written them. */
export async function writeHistory(database: DataSource, history: History): Promise<void> {
  const { workspaceId, flowIds, offerIds, customers, from, to, random } = history;
  const oneOf = <T>(values: T[]): T => values[Math.floor(random() * values.length)];
  const sessions: object[] = [];
  const steps: object[] = [];
  const jobs: object[] = [];
  let before = { began: 0, customer: null as number | null, flow_id: flowIds[0] };
  for (let n = 0; n < history.sessions; n++) {
    // Some begin in the same millisecond, in two tabs of a customer.
    const isSecondTab = n > 0 && random() < 0.4;
    let time = isSecondTab ? before.began : Math.floor(from.getTime() + random() * (to.getTime() - from.getTime()));
    const id = firstIdAt(new Date(time)).slice(0, 15) + randomUUID().slice(15);
    const created_at = new Date(time);
    // Some come back after hours. A session has six steps at most, and lives 24 hours.
    const later = () => new Date((time += Math.floor(random() < 0.1 ? random() * 230 : random() * 5) * MINUTE_MS));
    let presented: object | null = null as object | null;
    let updated_at = created_at;
    let [status, accepted]: [string, object | null] = ['in_progress', null];
    let position = 0;
    let node = { key: 'start', type: 'start' };
    const someone = random() < 0.8 ? Math.floor(random() * customers) : null;
    const customer = isSecondTab ? before.customer : someone;
    const flow_id = isSecondTab ? before.flow_id : oneOf(flowIds);
    before = { began: created_at.getTime(), customer, flow_id };
    // A customer gets the same arm of a split each time.
    const worth = oneOf([
      { monthly_amount: Math.floor(random() * 5000), currency: oneOf(['EUR', 'USD']) },
      { estimated_monthly_value: 29.9 },
      {},
    ]);
    const arm = (customer === null ? random() < 0.5 : customer % 2 === 0) ? 'a' : 'b';
    const step = (action: string, more: object = {}, next = node) => {
      updated_at = later();
      position++;
      const fields = {
        node_key: node.key,
        node_type: node.type,
        action,
        option: null,
        offer: presented,
        ways: null,
        withheld: (n + position) % 7 === 0 ? [offerIds[n % offerIds.length]] : null,
        withheld_reasons: (n + position) % 14 === 0 ? { [offerIds[n % offerIds.length]]: 'interval' as const } : null,
        created_at: updated_at,
      };
      steps.push({ workspace_id: workspaceId, flow_session_id: id, position, ...fields, ...more });
      presented = null;
      node = next;
    };
    if (random() < 0.8) {
      const ways = oneOf([null, { who: 'next' }, { who: '0', test: arm }]);
      step('continue', { ways }, { key: 'reason', type: 'survey' });
      if (random() < 0.8) {
        step('answer', { option: oneOf(['too_expensive', 'other']) }, { key: 'offer_1', type: 'offer' });
        presented = { id: oneOf(offerIds), name: 'As shown' };
        // The same offer at two nodes counts once.
        for (const key of ['offer_2', 'offer_3']) {
          if (random() < 0.4) {
            const again: object = random() < 0.3 ? presented : { id: oneOf(offerIds), name: 'As shown' };
            step('decline', {}, { key, type: 'offer' });
            presented = again;
          }
        }
      }
    }
    const end = random();
    if (end < 0.25 && presented) {
      [status, accepted] = [random() < 0.2 ? 'contacted' : 'saved', presented];
      step('accept');
    } else if (end < 0.4) {
      status = 'saved';
      step('keep');
    } else if (end < 0.7) {
      status = 'canceled';
      step('cancel');
    }
    sessions.push({
      workspace_id: workspaceId,
      id,
      session_id: randomUUID(),
      flow_id,
      // Nobody begins on an old version.
      flow_version: created_at.getTime() < (from.getTime() + to.getTime()) / 2 ? 1 : VERSION,
      status,
      current_node_key: node.key,
      presented_offer: presented,
      accepted_offer: accepted,
      saved_by_offer: accepted !== null,
      locale: 'en',
      customer_verified: false,
      amount_verified: 'currency' in worth && random() < 0.5,
      ...worth,
      customer_id: customer === null ? null : `cus_${customer}`,
      created_at,
      updated_at,
      ended_at: status === 'in_progress' ? null : updated_at,
    });
  }
  for (const { id, accepted_offer, ended_at } of sessions as FlowSession[]) {
    if (!accepted_offer || random() < 0.1) continue;
    const job = { workspace_id: workspaceId, flow_session_id: id, action: 'apply', mode: 'live', state: 'applied' };
    const times = { created_at: ended_at, updated_at: ended_at, give_up_at: ended_at };
    const part_left = random() < 0.1 ? null : Math.floor(random() * 3) / 2;
    jobs.push({ ...job, ...times, attempts: 1, request_number: 1, part_left });
  }
  // The split that they came to.
  await database.query(
    `UPDATE flow_versions SET definition = jsonb_set(definition, '{nodes}', definition -> 'nodes' || $3::jsonb)
      WHERE workspace_id = $1 AND flow_id = ANY ($2) AND NOT definition @> jsonb_build_object('nodes', $3::jsonb)`,
    [
      workspaceId,
      flowIds,
      JSON.stringify([
        {
          key: 'test',
          type: 'split',
          config: { ways: ['a', 'b'].map((name) => ({ name, weight: 1, next: 'reason' })) },
        },
      ]),
    ],
  );
  for (const [table, rows] of Object.entries({ flow_sessions: sessions, session_steps: steps, fulfilments: jobs })) {
    await database.query(`INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1)`, [
      JSON.stringify(rows),
    ]);
  }
}

/** Reports what became of the customers of a history later. */
export async function writeOutcomes(database: DataSource, history: History, outcomes: number): Promise<void> {
  const { workspaceId, customers, from, to, random } = history;
  for (let n = 0; n < outcomes; n++) {
    const at = new Date(from.getTime() + random() * (to.getTime() - from.getTime()));
    const isPaid = random() < 0.7;
    const [amount, currency] = isPaid && random() < 0.9 ? [5000, random() < 0.6 ? 'EUR' : 'USD'] : [null, null];
    await database.query(
      `INSERT INTO outcomes (workspace_id, id, customer_id, type, at, amount, currency, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $5)`,
      [
        workspaceId,
        randomUUID(),
        `cus_${Math.floor(random() * customers)}`,
        isPaid ? 'paid' : 'canceled',
        at,
        amount,
        currency,
      ],
    );
  }
}

/** The same numbers for the same seed. */
export function randomFrom(seed: number): () => number {
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
}

/** Reads as the service does. */
const readerOf = ({ workspaceId }: SpanOf, manager: EntityManager) =>
  new Reader(theServiceIn(workspaceId), manager, ({ text, values }) => manager.query(text, values));

export async function countAll(span: SpanOf, manager: EntityManager): Promise<Counts> {
  const reader = readerOf(span, manager);
  const { worth } = await countCustomers(span, span.flowId !== undefined, reader);
  const arms = await countCustomersOfArms(span, await splitsOf(span, manager), reader);
  const scopes = groupBy(
    worth.filter(({ value }) => value === null),
    ({ key }) => key,
  );
  const whole = worth.filter(({ value, is_last }) => value === null && is_last);
  const named = [...(span.flowId || whole.length === 0 ? [] : [[null, whole] as const]), ...scopes];
  const detailed = (isReason: boolean) =>
    [
      ...groupBy(
        worth.filter(({ value, node_key }) => value !== null && (node_key !== null) === isReason),
        ({ key, node_key, value }) => `${key} ${node_key} ${value}`,
      ).values(),
    ].map((rows) => ({ ...rows[0], rows: plainly(valueOf(rows, [])) }));
  const scopeOf = ({ flow_id, node_key, from_version, arm }: (typeof arms)[number]) => {
    return { flow_id, node_key, from_version, arm };
  };
  return {
    facts: await countFacts(span, [...SUM_KINDS], reader),
    ofVersion: await countFacts({ ...span, version: VERSION }, [...SUM_KINDS], reader),
    days: await countDays(span, ['session'], reader),
    customers: named.map(([flow_id, rows]) => ({ flow_id, ...customersIn([...rows]) })),
    arms: arms.map((arm) => ({
      ...scopeOf(arm),
      seen_once: arm.seen_once,
      changes: arm.changes,
      ...customersIn(arm.worth),
    })),
    armValue: arms.flatMap((arm) => plainly(valueOf(arm.worth, [])).map((row) => ({ ...scopeOf(arm), ...row }))),
    armCut: arms.flatMap((arm) =>
      arm.cut.map(({ sum, squares, ...cut }) => ({
        ...scopeOf(arm),
        ...cut,
        sum: Math.round(sum * 100) / 100,
        squares: Math.round(squares * 100) / 100,
      })),
    ),
    value: named.flatMap(([flow_id, rows]) => plainly(valueOf([...rows], [])).map((row) => ({ flow_id, ...row }))),
    offerValue: detailed(false).flatMap(({ key, value, rows }) =>
      rows.map((row) => ({ flow_id: key, offer: value!, ...row })),
    ),
    reasonValue: detailed(true).flatMap(({ key, node_key, value, rows }) =>
      rows.map((row) => ({ flow_id: key, node_key: node_key!, option: value!, ...row })),
    ),
  };
}

/** Without payments, which are counted apart. */
const plainly = (rows: ValueDto[]) =>
  rows.map((row) => pick(row, ['currency', 'verified', 'customers', 'at_risk', 'saved', 'canceled', 'net']));

/** Counts a random span of the last days in both ways, in one snapshot. */
export async function expectPlainCount(service: Service, history: History, days: number): Promise<void> {
  const { workspaceId, flowIds, random } = history;
  const back = () => Math.floor(random() * days * DAY_MS);
  const midnight = (time: number) => (random() < 0.5 ? time - (time % DAY_MS) : time);
  await service.app.get(Transactions).runOnSnapshot(async (manager) => {
    const now = await readTime(manager);
    const ends = [now.getTime() - back(), now.getTime() - back()].map(midnight).toSorted((a, b) => a - b);
    const to = random() < 0.5 ? now : new Date(ends[1] + 1);
    const span = { workspaceId, flowId: random() < 0.4 ? flowIds[0] : undefined, from: new Date(ends[0]), to, now };
    expect([span, ...sorted(await countAll(span, manager))]).toEqual([
      span,
      ...sorted(await plainCount(span, manager)),
    ]);
    const reader = readerOf(span, manager);
    const splits = await splitsOf(span, manager);
    const { counts: lasting, watched } = await countLasting(span, splits, span.from, reader);
    const counted = await countCustomers(span, span.flowId !== undefined, reader);
    const paidBy = [
      ...(span.flowId ? [] : [[null, counted.paid.filter(({ is_last }) => is_last)] as const]),
      ...groupBy(counted.paid, ({ key }) => key),
    ];
    const paid = paidBy.flatMap(([flow_id, rows]) => {
      const ofAll = rows.filter(({ value }) => value === null);
      return valueOf([], ofAll).map(({ currency, verified, paid_since }) => ({
        flow_id,
        currency: currency!,
        verified,
        paid: paid_since!,
      }));
    });
    const since = { lasting, watched, paid };
    expect([span, ...sorted(since)]).toEqual([span, ...sorted(await plainSince(span, manager))]);
  });
}
