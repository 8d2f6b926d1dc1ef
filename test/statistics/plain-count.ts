import type { EntityManager } from 'typeorm';
import { Fulfilment } from '../../src/billing-jobs/fulfilment.entity';
import { Outcome } from '../../src/billing/outcomes/outcome.entity';
import type { ArmCustomers, ExperimentScope } from '../../src/statistics/experiments/arm-customers';
import { isPlainObject } from '../../src/platform/common/json';
import { groupBy } from '../../src/platform/common/group-by';
import type { CustomersDto } from '../../src/statistics/dto/counts.dto';
import type { ValueDto } from '../../src/statistics/dto/value.dto';
import type { CutWorth } from '../../src/statistics/money/mean';
import { LASTING_DAYS, type LastingCount, type Scope, type WatchedCount } from '../../src/statistics/lasting/lasting';
import { FlowSession } from '../../src/sessions/flow-session.entity';
import { SessionStep } from '../../src/sessions/session-step.entity';
import type { DayCount, FactCount } from '../../src/statistics/sums/facts';
import type { Span } from '../../src/statistics/sums/span';

/** The version that is counted by itself, too. */
export const VERSION = 2;

const DAY_MS = 24 * 60 * 60 * 1000;

export interface Counts {
  facts: FactCount[];
  ofVersion: FactCount[];
  days: DayCount[];
  customers: OfScope<CustomersDto>[];
  arms: OfArm<CustomersDto & Pick<ArmCustomers, 'seen_once' | 'changes'>>[];
  armValue: OfArm<Worth>[];
  armCut: OfArm<CutWorth>[];
  value: OfScope<Worth>[];
  offerValue: OfScope<Worth & { offer: string }>[];
  reasonValue: OfScope<Worth & { node_key: string; option: string }>[];
}

/** What is counted without payments. */
type Worth = Omit<ValueDto, 'paid_since'>;

/** A span of a workspace. */
export type SpanOf = Span & { workspaceId: string };

export interface Since {
  lasting: LastingCount[];
  watched: WatchedCount[];
  paid: OfScope<{ currency: string; verified: boolean; paid: number }>[];
}

type OfScope<Row> = Row & { flow_id: string | null };

type OfArm<Row> = Row & Pick<ArmCustomers, 'flow_id' | 'node_key' | 'from_version' | 'arm'>;

/** `part_left`: of the job that carried out the accepted offer. */
type WithSteps = FlowSession & { steps: SessionStep[]; part_left: number | null };

/** Counts sessions one by one, as the docs define the numbers: what the service's own counts have to equal. */
export async function plainCount(
  { workspaceId, flowId, from, to, now }: SpanOf,
  manager: EntityManager,
): Promise<Counts> {
  const steps = await manager.find(SessionStep, { where: { workspace_id: workspaceId }, order: { position: 'ASC' } });
  const jobs = await manager.find(Fulfilment, { where: { workspace_id: workspaceId } });
  const parts = new Map(jobs.map(({ flow_session_id, part_left }) => [flow_session_id, part_left]));
  const sessions = (await manager.find(FlowSession, { where: { workspace_id: workspaceId }, order: { id: 'ASC' } }))
    .filter(({ created_at }) => created_at >= from && (created_at < to || to >= now))
    .filter(({ flow_id }) => !flowId || flow_id === flowId)
    .map((session) => ({
      ...session,
      steps: steps.filter(({ flow_session_id }) => flow_session_id === session.id),
      part_left: parts.get(session.id) ?? null,
    }));
  const isOpen = ({ status, created_at }: FlowSession) =>
    status === 'in_progress' && created_at.getTime() > now.getTime() - DAY_MS;
  const arms = armsOf(sessions, await splitsOf({ workspaceId, flowId }, manager));
  const flows = inScopes(sessions, flowId).filter(({ flow_id }) => flow_id !== null);
  return {
    facts: factsOf(sessions, isOpen),
    ofVersion: factsOf(
      sessions.filter(({ flow_version }) => flow_version === VERSION),
      isOpen,
    ),
    days: daysOf(sessions, isOpen),
    customers: customersOf(sessions.filter(personOf), isOpen, flowId),
    arms: arms.map(({ scope, own }) => {
      const seen = groupBy(own, (one) => personOf(one)!);
      const seen_once = [...seen.values()].filter((all) => all.length === 1 && !all[0].customer_verified).length;
      return { ...scope, seen_once, changes: changesOf(own, scope), ...decisionsOf(own, isOpen) };
    }),
    armValue: arms.flatMap(({ scope, own }) => worthOf(chosenOf(own)).map((worth) => ({ ...scope, ...worth }))),
    armCut: arms.flatMap(({ scope, own }) => {
      const same = arms.filter(
        (one) => one.scope.from_version === scope.from_version && one.scope.flow_id === scope.flow_id,
      );
      return cutOf(
        chosenOf(own),
        same.flatMap((one) => chosenOf(one.own)),
      ).map((cut) => ({ ...scope, ...cut }));
    }),
    value: inScopes(sessions, flowId).flatMap(({ flow_id, own }) =>
      worthOf(chosenOf(own)).map((worth) => ({ flow_id, ...worth })),
    ),
    offerValue: flows.flatMap(({ flow_id, own }) => {
      const accepting = chosenOf(own).filter(({ accepted_offer }) => accepted_offer);
      return [...groupBy(accepting, ({ accepted_offer }) => accepted_offer!.id)].flatMap(([offer, all]) =>
        worthOf(all).map((worth) => ({ flow_id, offer, ...worth })),
      );
    }),
    reasonValue: flows.flatMap(({ flow_id, own }) => {
      const answers = chosenOf(own).flatMap((session) =>
        session.steps.flatMap(({ action, node_key, option }) =>
          action === 'answer' ? [{ session, node_key, option: option! }] : [],
        ),
      );
      return [...groupBy(answers, ({ node_key, option }) => `${node_key}/${option}`).values()].flatMap((all) => {
        const [{ node_key, option }] = all;
        return worthOf(all.map(({ session }) => session)).map((worth) => ({ flow_id, node_key, option, ...worth }));
      });
    }),
  };
}

/** The sessions of the workspace and of each flow, or of one flow. */
function inScopes(sessions: WithSteps[], flowId: string | undefined): { flow_id: string | null; own: WithSteps[] }[] {
  const scopes = flowId ? [flowId] : [null, ...new Set(sessions.map(({ flow_id }) => flow_id))];
  return scopes.map((flow_id) => ({ flow_id, own: sessions.filter((one) => !flow_id || one.flow_id === flow_id) }));
}

/**
 * The split `test` of flows: it is the same in both versions of the first flow, and another in each version of the
 * others.
 */
export async function splitsOf(
  { workspaceId, flowId }: Pick<SpanOf, 'workspaceId' | 'flowId'>,
  manager: EntityManager,
): Promise<ExperimentScope[]> {
  const flows = await manager.query<{ id: string }[]>('SELECT id FROM flows WHERE workspace_id = $1 ORDER BY id', [
    workspaceId,
  ]);
  return flows
    .filter(({ id }) => !flowId || flowId === id)
    .flatMap(({ id: flow_id }) => {
      const versions =
        flow_id === flows[0].id
          ? [[1, VERSION]]
          : [
              [1, 1],
              [VERSION, VERSION],
            ];
      return versions.map(([from_version, to_version]) => ({ flow_id, node_key: 'test', from_version, to_version }));
    });
}

function factsOf(sessions: WithSteps[], isOpen: (session: FlowSession) => boolean): FactCount[] {
  const counts = new Map<string, FactCount>();
  for (const session of sessions) {
    const facts = new Set(['session//']);
    if (!personOf(session)) facts.add('anonymous//');
    for (const step of session.steps) {
      if (step.action === 'answer') facts.add(`answer/${step.node_key}/${step.option}`);
      else facts.add(`step/${step.node_key}/${step.action}`);
      if (step.offer) facts.add(`offer//${step.offer.id}`);
      for (const id of step.withheld ?? []) facts.add(`withheld/${step.withheld_reasons?.[id] ?? 'limit'}/${id}`);
      for (const [split, way] of Object.entries(step.ways ?? {})) {
        facts.add(`way/${split}/${way}`);
        // The other silent node is a branch.
        if (split === 'test' && personOf(session)) facts.add(`arm/${split}/${way}`);
      }
    }
    if (session.status === 'in_progress') facts.add(`stopped/${session.current_node_key}/`);
    if (session.presented_offer) facts.add(`offer//${session.presented_offer.id}`);
    for (const fact of facts) {
      const [kind, node_key, value] = fact.split('/') as [FactCount['kind'], string, string];
      const key = `${session.flow_id}/${session.flow_version}/${fact}`;
      const count = counts.get(key) ?? {
        flow_id: session.flow_id,
        version: session.flow_version,
        kind,
        node_key,
        value,
        ...NONE,
      };
      counts.set(key, count);
      add(count, session, isOpen(session));
      // What another offer brought is not its own.
      if (kind === 'offer' && session.accepted_offer && session.accepted_offer.id !== value)
        count[session.status === 'contacted' ? 'contacted' : 'accepted']--;
    }
  }
  return [...counts.values()];
}

function daysOf(sessions: WithSteps[], isOpen: (session: FlowSession) => boolean): DayCount[] {
  const days = new Map<string, DayCount>();
  for (const session of sessions) {
    const day = session.created_at.toISOString().slice(0, 10);
    const count = days.get(day) ?? { day, kind: 'session', ...NONE };
    days.set(day, count);
    add(count, session, isOpen(session));
  }
  return [...days.values()];
}

const NONE = { sessions: 0, accepted: 0, kept: 0, canceled: 0, contacted: 0, in_progress: 0 };

/** Counts one more session. */
function add(count: typeof NONE, { accepted_offer, status }: FlowSession, isOpen: boolean): void {
  count.sessions++;
  if (status === 'contacted') count.contacted++;
  else if (accepted_offer) count.accepted++;
  if (!accepted_offer && status === 'saved') count.kept++;
  if (status === 'canceled') count.canceled++;
  if (isOpen) count.in_progress++;
}

function customersOf(
  sessions: WithSteps[],
  isOpen: (session: FlowSession) => boolean,
  flowId: string | undefined,
): Counts['customers'] {
  if (sessions.length === 0) return [];
  const scopes = flowId ? [flowId] : [null, ...new Set(sessions.map(({ flow_id }) => flow_id))];
  return scopes.map((scope) => ({
    flow_id: scope,
    ...decisionsOf(
      sessions.filter(({ flow_id }) => !scope || flow_id === scope),
      isOpen,
    ),
  }));
}

const personOf = ({ customer_id, erased_customer }: FlowSession) => customer_id ?? erased_customer;

const isDecided = ({ status }: FlowSession) => status === 'saved' || status === 'canceled';

/**
 * Those that ended without a decision first, then those that did not end, by their ids; then the others as they ended,
 * by their ids if they did at once.
 */
function asDecided<Session extends FlowSession>(sessions: Session[]): Session[] {
  const endOf = (session: FlowSession) =>
    isDecided(session) ? session.updated_at.getTime() : session.status === 'contacted' ? -1 : 0;
  return sessions.toSorted((one, other) => endOf(one) - endOf(other) || (one.id < other.id ? -1 : 1));
}

/** The session that each customer counts with: the last that ended, else the last. */
function chosenOf<Session extends FlowSession>(sessions: Session[]): Session[] {
  const chosen = new Map<string, Session>();
  for (const session of asDecided(sessions)) {
    const person = personOf(session);
    const before = person && chosen.get(person);
    if (person && (!before || isDecided(session) || !isDecided(before))) {
      chosen.set(person, session);
    }
  }
  return [...chosen.values()];
}

const cents = (amount: number) => Math.round(amount * 100) / 100;
const amountOf = ({ monthly_amount, estimated_monthly_value }: FlowSession) =>
  monthly_amount ?? estimated_monthly_value;

/** What the customers of chosen sessions are worth. */
function worthOf(chosen: WithSteps[]): Worth[] {
  const rows = new Map<string, Worth>();
  for (const session of chosen) {
    const { currency, amount_verified: verified, status } = session;
    const amount = amountOf(session);
    if (amount === null) continue;
    const key = `${currency} ${verified}`;
    const row = rows.get(key) ?? { currency, verified, customers: 0, at_risk: 0, saved: 0, canceled: 0, net: 0 };
    rows.set(key, row);
    row.customers++;
    row.at_risk = cents(row.at_risk + amount);
    if (status === 'saved' || status === 'canceled') row[status] = cents(row[status] + amount);
    if (status !== 'saved') continue;
    const left = session.accepted_offer ? session.part_left : 1;
    row.net = row.net === null || left === null ? null : row.net + amount * left;
  }
  return [...rows.values()].map((row) => ({ ...row, net: row.net === null ? null : cents(row.net) }));
}

/** What those of chosen sessions keep, cut at the 99th percentile of the amounts of all. */
function cutOf(chosen: WithSteps[], all: WithSteps[]): CutWorth[] {
  const withAmount = chosen.filter((one) => amountOf(one) !== null);
  return [...groupBy(withAmount, ({ currency, amount_verified }) => `${currency} ${amount_verified}`).values()].map(
    (own) => {
      const [{ currency, amount_verified: verified }] = own;
      const amounts = all.filter((one) => one.currency === currency).flatMap((one) => amountOf(one) ?? []);
      const most = amounts.toSorted((a, b) => a - b)[Math.ceil(0.99 * amounts.length) - 1];
      const kept = own.map((one) => (one.status === 'saved' ? Math.min(most, amountOf(one)!) : 0));
      const sumOf = (values: number[]) => cents(values.reduce((sum, value) => sum + value, 0));
      return {
        currency,
        verified,
        customers: own.length,
        sum: sumOf(kept),
        squares: sumOf(kept.map((one) => one ** 2)),
      };
    },
  );
}

/** What became of the customers who were saved in a span, until now. */
export async function plainSince(span: SpanOf, manager: EntityManager): Promise<Since> {
  const { workspaceId: workspace_id, flowId, from, to, now } = span;
  const outcomes = await manager.find(Outcome, { where: { workspace_id } });
  const steps = await manager.find(SessionStep, { where: { workspace_id } });
  const all = await manager.find(FlowSession, { where: { workspace_id }, order: { id: 'ASC' } });
  const sessions = all
    .filter(({ created_at }) => created_at >= from && (created_at < to || to >= now))
    .filter(({ flow_id }) => !flowId || flow_id === flowId);
  const flows = new Set(sessions.map(({ flow_id }) => flow_id));
  const scopes = (flowId ? [flowId] : [null, ...flows]).map((flow_id) => ({
    scope: { flow_id, node_key: null, from_version: null, arm: null, offer: null },
    came: sessions.filter((one) => !flow_id || one.flow_id === flow_id),
  }));
  const arms = new Map<string, { scope: Scope; came: FlowSession[] }>();
  for (const session of sessions) {
    const split = (await splitsOf(span, manager)).find(
      ({ flow_id, from_version, to_version }) =>
        flow_id === session.flow_id && from_version <= session.flow_version && session.flow_version <= to_version,
    )!;
    const ways = steps.flatMap((step) => (step.flow_session_id === session.id ? (step.ways?.test ?? []) : []));
    for (const arm of ways) {
      const scope = { flow_id: split.flow_id, node_key: 'test', from_version: split.from_version, arm, offer: null };
      const group = arms.get(JSON.stringify(scope)) ?? { scope, came: [] };
      arms.set(JSON.stringify(scope), group);
      group.came.push(session);
    }
  }
  const offers = [...groupBy(sessions, ({ flow_id, accepted_offer }) => `${flow_id} ${accepted_offer?.id}`)]
    .filter(([key]) => !key.endsWith(' undefined'))
    .map(([key, came]) => {
      const [flow_id, offer] = key.split(' ');
      return { scope: { flow_id, node_key: null, from_version: null, arm: null, offer }, came };
    });
  const since: Since = { lasting: [], watched: [], paid: [] };
  for (const { scope, came } of [...scopes, ...arms.values(), ...offers]) {
    // Of a shorter span, nobody was watched for as long as something is said of.
    const isLong = now.getTime() - from.getTime() > (Math.min(...LASTING_DAYS) - 1 / 24) * DAY_MS;
    if (isLong) since.watched.push(...watchedOf(came, scope, { all, outcomes, from, now }));
    const laterOf = (session: FlowSession, type: string) =>
      outcomes.filter(
        (one) =>
          (one.customer_id ?? one.erased_customer) === personOf(session) &&
          one.type === type &&
          one.at > session.updated_at,
      );
    const hasLeft = (session: FlowSession) =>
      laterOf(session, 'canceled').length > 0 ||
      all.some(
        (one) =>
          personOf(one) === personOf(session) &&
          one.status === 'canceled' &&
          one.created_at >= from &&
          one.updated_at > session.updated_at,
      );
    for (const days of LASTING_DAYS) {
      const newest = new Map<string, FlowSession>();
      for (const session of came.toSorted((a, b) => a.updated_at.getTime() - b.updated_at.getTime())) {
        const person = personOf(session);
        const isOldEnough = session.updated_at.getTime() <= now.getTime() - days * DAY_MS;
        if (person && session.status === 'saved' && isOldEnough) newest.set(person, session);
      }
      const still_there = [...newest.values()].filter((session) => !hasLeft(session)).length;
      if (newest.size > 0) since.lasting.push({ ...scope, days, customers: newest.size, still_there });
    }
    if (scope.arm !== null || scope.offer !== null) continue;
    const sums = new Map<string, number>();
    for (const session of chosenOf(came).filter(({ status }) => status === 'saved')) {
      for (const { currency, amount } of laterOf(session, 'paid')) {
        const key = `${currency} ${session.amount_verified}`;
        if (amount !== null) sums.set(key, (sums.get(key) ?? 0) + amount);
      }
    }
    for (const [key, paid] of sums) {
      const [currency, verified] = key.split(' ');
      since.paid.push({ flow_id: scope.flow_id, currency, verified: verified === 'true', paid });
    }
  }
  return since;
}

/** How long each customer was watched since their newest save in a scope, and whether they left then. */
function watchedOf(
  came: FlowSession[],
  scope: Scope,
  { all, outcomes, from, now }: { all: FlowSession[]; outcomes: Outcome[]; from: Date; now: Date },
): WatchedCount[] {
  const counts = new Map<number, WatchedCount>();
  const saved = came.filter((session) => session.status === 'saved' && personOf(session));
  const latest = (times: Date[]) => Math.max(...times.map((time) => time.getTime()));
  for (const [person, own] of groupBy(saved, (session) => personOf(session)!)) {
    const ended = (status: string) =>
      all
        .filter((one) => personOf(one) === person && one.status === status && one.created_at >= from)
        .map((one) => one.ended_at!);
    const reported = outcomes.filter(
      (one) => (one.customer_id ?? one.erased_customer) === person && one.type === 'canceled' && one.at >= from,
    );
    const lastSave = latest(ended('saved'));
    const ends = [...ended('canceled'), ...reported.map(({ at }) => at)].filter((at) => at.getTime() > lastSave);
    const end = ends.length > 0 ? Math.min(...ends.map((at) => at.getTime())) : null;
    const spent = ((end ?? now.getTime()) - latest(own.map((one) => one.ended_at!))) / DAY_MS;
    const [most, days] = [Math.max(...LASTING_DAYS), Math.max(0, Math.floor(spent))];
    const count = counts.get(Math.min(days, most)) ?? { ...scope, days: Math.min(days, most), left: 0, watched: 0 };
    counts.set(count.days, count);
    count.watched++;
    if (end !== null && spent < most) count.left++;
  }
  return [...counts.values()];
}

/** All sessions of the customers who came to each arm, until the arms changed. */
function armsOf(sessions: WithSteps[], splits: ExperimentScope[]) {
  return splits.flatMap(({ flow_id, node_key, from_version, to_version }) => {
    const lived = sessions.filter(
      (one) => one.flow_id === flow_id && from_version <= one.flow_version && one.flow_version <= to_version,
    );
    return ['a', 'b'].flatMap((arm) => {
      const came = lived.filter((one) => one.steps.some(({ ways }) => ways?.[node_key] === arm)).map(personOf);
      const own = lived.filter((one) => personOf(one) && came.includes(personOf(one)));
      const scope = { flow_id, node_key, from_version, arm };
      return own.length > 0 ? [{ scope, own }] : [];
    });
  });
}

/** What changed on each day in an arm: who came to it first, and what they decided, as if each day had been looked at. */
function changesOf(own: WithSteps[], { node_key, arm }: { node_key: string; arm: string }): ArmCustomers['changes'] {
  const changes = new Map<string, { customers: number; saved: number; canceled: number }>();
  const dayOf = (time: Date) => time.toISOString().slice(0, 10);
  const on = (day: string) => {
    const change = changes.get(day) ?? { customers: 0, saved: 0, canceled: 0 };
    changes.set(day, change);
    return change;
  };
  for (const all of groupBy(own, (one) => personOf(one)!).values()) {
    const came = all.flatMap(({ steps }) => steps.filter(({ ways }) => ways?.[node_key] === arm));
    const [first] = came.map(({ created_at }) => dayOf(created_at)).toSorted();
    on(first).customers++;
    let before: 'saved' | 'canceled' | undefined;
    const decided = all.filter((one) => isDecided(one) && one.ended_at);
    for (const { status, ended_at } of decided.toSorted((a, b) => a.ended_at!.getTime() - b.ended_at!.getTime())) {
      const day = dayOf(ended_at!);
      const change = on(day < first ? first : day);
      if (before) change[before]--;
      before = status as 'saved' | 'canceled';
      change[before]++;
    }
  }
  return [...changes].map(([day, change]) => ({ day, ...change })).toSorted((a, b) => (a.day < b.day ? -1 : 1));
}

/** What the customers of sessions decided last. */
function decisionsOf(sessions: WithSteps[], isOpen: (session: FlowSession) => boolean) {
  const states = new Map<string, 'accepted' | 'kept' | 'canceled' | 'in_progress' | 'abandoned'>();
  for (const session of asDecided(sessions)) {
    const person = personOf(session)!;
    const before = states.get(person) ?? 'abandoned';
    if (session.status === 'contacted') states.set(person, before);
    else if (session.accepted_offer) states.set(person, 'accepted');
    else if (session.status === 'saved') states.set(person, 'kept');
    else if (session.status === 'canceled') states.set(person, 'canceled');
    else states.set(person, before === 'abandoned' && isOpen(session) ? 'in_progress' : before);
  }
  const of = (state: string) => [...states.values()].filter((one) => one === state).length;
  const [accepted, kept, canceled, in_progress, abandoned] = [
    'accepted',
    'kept',
    'canceled',
    'in_progress',
    'abandoned',
  ].map(of);
  return { total: states.size, saved: accepted + kept, saved_by_offer: accepted, canceled, in_progress, abandoned };
}

/** The same counts, in an order that does not depend on who counted. */
export function sorted(counts: Counts | Since): unknown[] {
  const inOrder = (_: string, value: unknown) =>
    isPlainObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value;
  return Object.values(counts).map((rows: object[]) => rows.map((row) => JSON.stringify(row, inOrder)).toSorted());
}
