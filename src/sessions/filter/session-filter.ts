import { askedIn, type HeldAudiences } from '../../conditions/conditions';
import type {
  AnswerCondition,
  AttributeCondition,
  Condition,
  ConditionGroup,
  PlainCondition,
} from '../../conditions/condition.dto';

/** Which sessions are wanted. */
export interface SessionFilter {
  /** SQL that is true or false for a session. It takes `:workspace` and `:where`. */
  condition: string;
  /** What the conditions compare with, as JSON, by their places. */
  values: { where: string };
}

/** All sessions, whoever began them. */
export const EVERY_SESSION: SessionFilter = { condition: 'true', values: { where: '[]' } };

/** SQL that compares a value of a session, which is null if it is unknown, with one that is wanted. Both are jsonb. */
type Compares = (value: string, wanted: string) => string;

const isNumber = (value: string) => `jsonb_typeof(${value}) = 'number'`;
const inOrder =
  (operator: string): Compares =>
  (value, wanted) =>
    `${isNumber(value)} AND ${value} ${operator} ${wanted}`;

/** A list is none of the values, and is not looked into: `@>` would. */
const isAmong: Compares = (value, wanted) =>
  `(jsonb_typeof(${value}) NOT IN ('array', 'object') AND ${wanted} @> ${value})`;

/** The comparisons of branches with an attribute or a fact: see `runtime/step/silent-nodes.ts`. */
const COMPARES: Record<AttributeCondition['is'], Compares> = {
  '=': (value, wanted) => `${value} = ${wanted}`,
  '!=': (value, wanted) => `${value} <> ${wanted}`,
  in: (value, wanted) => isAmong(value, wanted),
  not_in: (value, wanted) => `NOT ${isAmong(value, wanted)}`,
  '<': inOrder('<'),
  '<=': inOrder('<='),
  '>': inOrder('>'),
  '>=': inOrder('>='),
  exists: (value) => `${value} IS NOT NULL`,
};

/** With the list of the answers of a survey. `wanted` is a list, too. */
const COMPARES_ANSWERS: Record<AnswerCondition['is'], Compares> = {
  '=': (chosen, wanted) => `${chosen} = ${wanted}`,
  '!=': (chosen, wanted) => `${chosen} <> ${wanted}`,
  in: (chosen, wanted) => anyOf(chosen, wanted),
  not_in: (chosen, wanted) => `NOT ${anyOf(chosen, wanted)}`,
  includes: (chosen, wanted) => anyOf(chosen, wanted),
  exists: (chosen) => `${chosen} IS NOT NULL`,
};

function anyOf(chosen: string, wanted: string): string {
  return `${chosen} ?| ARRAY(SELECT jsonb_array_elements_text(${wanted}))`;
}

/**
 * The filter of sessions for which conditions hold, as branches understand them: attributes as the session has them,
 * facts as it keeps them, and answers that were given in it.
 *
 * @param audiences those that the conditions name, as they are now
 * @param session what the query calls a row of `flow_sessions`
 */
export function filterOf(
  group: ConditionGroup,
  audiences: HeldAudiences,
  session: string = 'flow_sessions',
): SessionFilter {
  const values: unknown[] = [];
  const condition = conditionIn(group, { audiences, session, values });
  return { condition, values: { where: JSON.stringify(values) } };
}

/** The SQL of such a filter. What it compares with is added to `values`, which are the list `:where`. */
export function conditionIn(
  member: Condition | ConditionGroup,
  context: { audiences: HeldAudiences; session: string; values: unknown[] },
): string {
  if ('is' in member) return meets(member, context.session, (value) => context.values.push(value) - 1);
  if ('audience' in member) return conditionIn(context.audiences[member.audience], context);
  const [members, operator] = 'all' in member ? [member.all, ' AND '] : [member.any, ' OR '];
  return `(${members.map((one) => conditionIn(one, context)).join(operator)})`;
}

/** SQL for a condition, false about what is unknown. `keep` keeps a value, and says its place. */
function meets(condition: PlainCondition, session: string, keep: (value: unknown) => number): string {
  const json = (value: unknown) => `(:where::jsonb -> ${keep(value)})`;
  const text = (value: unknown) => `(:where::jsonb ->> ${keep(value)})`;
  const compared = () => {
    if ('answer' in condition) {
      const chosen = `(SELECT coalesce(options, jsonb_build_array(option)) FROM session_steps
        WHERE workspace_id = :workspace AND flow_session_id = ${session}.id AND node_key = ${text(condition.answer)} AND option IS NOT NULL
        LIMIT 1)`;
      return COMPARES_ANSWERS[condition.is](chosen, json([condition.value ?? []].flat()));
    }
    if ('result' in condition) {
      const { node, path } = askedIn(condition);
      const found = `(SELECT result #> ARRAY(SELECT jsonb_array_elements_text(${json(path)})) FROM session_steps
        WHERE workspace_id = :workspace AND flow_session_id = ${session}.id AND node_key = ${text(node)} AND result IS NOT NULL LIMIT 1)`;
      return COMPARES[condition.is](found, json(condition.value ?? null));
    }
    const value =
      'fact' in condition
        ? `(${session}.facts -> ${text(condition.fact)})`
        : `(${session}.customer -> 'attributes' -> ${text(condition.attribute)})`;
    return COMPARES[condition.is](value, json(condition.value ?? null));
  };
  return `coalesce(${compared()}, false)`;
}
