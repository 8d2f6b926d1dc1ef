import type { EntityManager } from 'typeorm';
import { FlowSession } from '../../src/runtime/flow-session.entity';
import { SessionStep } from '../../src/runtime/session-step.entity';
import type { CustomerCount, DayCount, FactCount, NodeCount, Span } from '../../src/insights/sums/counts';

/** The version whose nodes are counted. */
export const VERSION = 2;

const DAY_MS = 24 * 60 * 60 * 1000;

export interface Counts {
  facts: FactCount[];
  days: DayCount[];
  customers: CustomerCount[];
  nodes: NodeCount[];
}

type WithSteps = FlowSession & { steps: SessionStep[] };

/** Counts sessions one by one, as the docs define the numbers: what the service's own counts have to equal. */
export async function plainCount(
  { workspaceId, flowId, from, to, now }: Span,
  manager: EntityManager,
): Promise<Counts> {
  const steps = await manager.find(SessionStep, { where: { workspace_id: workspaceId }, order: { position: 'ASC' } });
  const sessions = (await manager.find(FlowSession, { where: { workspace_id: workspaceId }, order: { id: 'ASC' } }))
    .filter(({ created_at }) => created_at >= from && (created_at < to || to >= now))
    .filter(({ flow_id }) => !flowId || flow_id === flowId)
    .map((session) => ({ ...session, steps: steps.filter(({ flow_session_id }) => flow_session_id === session.id) }));
  const isOpen = ({ status, updated_at }: FlowSession) =>
    status === 'in_progress' && updated_at.getTime() > now.getTime() - DAY_MS;
  return {
    facts: factsOf(sessions, isOpen),
    days: daysOf(sessions),
    customers: customersOf(sessions, isOpen, flowId),
    nodes: nodesOf(sessions, isOpen),
  };
}

function factsOf(sessions: WithSteps[], isOpen: (session: FlowSession) => boolean): FactCount[] {
  const counts = new Map<string, FactCount>();
  for (const session of sessions) {
    const facts = new Set(['session//']);
    for (const step of session.steps) {
      if (step.action === 'answer') facts.add(`answer/${step.node_key}/${step.option}`);
      if (step.offer) facts.add(`offer//${step.offer.id}`);
      for (const [split, way] of Object.entries(step.ways ?? {})) facts.add(`way/${split}/${way}`);
    }
    if (session.presented_offer) facts.add(`offer//${session.presented_offer.id}`);
    for (const fact of facts) {
      const [kind, node_key, value] = fact.split('/') as [FactCount['kind'], string, string];
      const key = `${session.flow_id}/${session.flow_version}/${fact}`;
      const none = { sessions: 0, accepted: 0, kept: 0, canceled: 0, in_progress: 0 };
      const count = counts.get(key) ?? {
        flow_id: session.flow_id,
        version: session.flow_version,
        kind,
        node_key,
        value,
        ...none,
      };
      counts.set(key, count);
      count.sessions++;
      const { accepted_offer, status } = session;
      if (accepted_offer && (kind !== 'offer' || accepted_offer.id === value)) count.accepted++;
      if (!accepted_offer && status === 'saved') count.kept++;
      if (status === 'canceled') count.canceled++;
      if (isOpen(session) && (kind === 'session' || kind === 'way')) count.in_progress++;
    }
  }
  return [...counts.values()];
}

function nodesOf(sessions: WithSteps[], isOpen: (session: FlowSession) => boolean): NodeCount[] {
  const counts = new Map<string, NodeCount>();
  for (const session of sessions.filter(({ flow_version }) => flow_version === VERSION)) {
    const here = session.status === 'in_progress' ? [`reached/${session.current_node_key}/`] : [];
    const facts = session.steps.flatMap(({ node_key, action, option, ways }) => [
      `reached/${node_key}/`,
      action === 'answer' ? `answer/${node_key}/${option}` : `step/${node_key}/${action}`,
      ...Object.entries(ways ?? {}).map(([node, way]) => `way/${node}/${way}`),
    ]);
    for (const fact of new Set(['session//', ...here, ...facts])) {
      const [kind, node_key, value] = fact.split('/') as [NodeCount['kind'], string, string];
      const count = counts.get(fact) ?? { kind, node_key, value, sessions: 0, in_progress: 0 };
      counts.set(fact, count);
      count.sessions++;
      if (here.includes(fact) && isOpen(session)) count.in_progress++;
    }
  }
  return [...counts.values()];
}

function daysOf(sessions: WithSteps[]): DayCount[] {
  const days = new Map<string, DayCount>();
  for (const { created_at, flow_id, status } of sessions) {
    const day = created_at.toISOString().slice(0, 10);
    const count = days.get(day + flow_id) ?? { day, flow_id, sessions: 0, saved: 0, canceled: 0 };
    days.set(day + flow_id, count);
    count.sessions++;
    if (status !== 'in_progress') count[status]++;
  }
  return [...days.values()];
}

function customersOf(
  sessions: WithSteps[],
  isOpen: (session: FlowSession) => boolean,
  flowId: string | undefined,
): CustomerCount[] {
  const scopes = flowId ? [flowId] : [null, ...new Set(sessions.map(({ flow_id }) => flow_id))];
  return scopes.map((scope) => {
    const states = new Map<string, 'saved' | 'canceled' | 'in_progress' | 'abandoned'>();
    for (const session of sessions) {
      if (scope && session.flow_id !== scope) continue;
      const person = session.customer_id ?? session.erased_customer ?? session.id;
      const before = states.get(person) ?? 'abandoned';
      if (session.status !== 'in_progress') states.set(person, session.status);
      else states.set(person, before === 'abandoned' && isOpen(session) ? 'in_progress' : before);
    }
    const of = (state: string) => [...states.values()].filter((one) => one === state).length;
    const [saved, canceled, in_progress, abandoned] = ['saved', 'canceled', 'in_progress', 'abandoned'].map(of);
    return { flow_id: scope, total: states.size, saved, canceled, in_progress, abandoned };
  });
}

/** The same counts, in an order that does not depend on who counted. */
export function sorted(counts: Counts): unknown[] {
  return Object.values(counts).map((rows: object[]) =>
    rows.map((row) => JSON.stringify(row, Object.keys(row).toSorted())).toSorted(),
  );
}
