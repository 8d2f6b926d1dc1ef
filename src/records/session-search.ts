import type { SelectQueryBuilder } from 'typeorm';
import { isId, MAX_ID } from '../platform/api/ids';
import { isSessionId } from '../sessions/session-ids';
import type { FlowSession } from '../sessions/flow-session.entity';

/** A condition on a session, with its parameters. */
type Condition = [sql: string, parameters: object];

/** SQL for whether an option, by the name of its value, is one that was answered in `step`. */
export const isAmongAnswers = (option: string): string =>
  `(step.option = :${option} OR jsonb_exists(step.options, :${option}))`;

const MIN_ID = '00000000-0000-0000-0000-000000000000';
/** The shortest beginning of an id that is searched for. It matches a minute of starts: ids begin with their time. */
const MIN_ID_LENGTH = 8;

/**
 * The sessions of a customer. The index of customers has those that ended behind the others, so each part has the order
 * of a list. Those in progress are first: one that ends between the two reads is found by both, and not by none.
 */
export function ofCustomer(customer: string): Condition[] {
  const isEnded = `(session.status <> 'in_progress')`;
  return ['FALSE', 'TRUE'].map((value) => [`session.customer_id = :customer AND ${isEnded} IS ${value}`, { customer }]);
}

/** The conditions that a search may mean. */
export function meaningsOf(search: string): Condition[] {
  const meanings: Condition[] = ofCustomer(search);
  if (search.includes('@')) meanings.push([`lower(session.customer ->> 'email') = lower(:search)`, { search }]);
  const [first, last] = [MIN_ID, MAX_ID].map((id) => search.toLowerCase() + id.slice(search.length));
  if (isSessionId(search)) meanings.push(['session.session_id = :first', { first }]);
  else if (search.length >= MIN_ID_LENGTH && isId(first))
    meanings.push(['session.id BETWEEN :first AND :last', { first, last }]);
  return meanings;
}

/**
 * The sessions of a list for which any of these conditions holds, in the order of the list: newest first. An index
 * finds the newest sessions for each condition. It would not for all of them, joined by OR.
 */
export async function whereAny(list: SelectQueryBuilder<FlowSession>, conditions: Condition[]): Promise<FlowSession[]> {
  const sessions = new Map<string, FlowSession>();
  for (const [condition, parameters] of conditions)
    for (const session of await list.clone().andWhere(condition, parameters).getMany())
      sessions.set(session.id, session);
  const newestFirst = [...sessions.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1));
  return newestFirst.slice(0, list.expressionMap.limit);
}
