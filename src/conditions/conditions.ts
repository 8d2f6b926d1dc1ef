import { jsonPointer } from '../platform/api/problems/json-pointer';
import type { FieldError } from '../platform/api/problems/problem';
import { type Fact, type FactKind, FACT_NAMES, FACTS, isValueOf, ORDERED } from './facts';
import type { AnswerCondition, Condition, ConditionGroup, FactCondition, ResultCondition } from './condition.dto';
import { MAX_CONDITIONS } from './condition-limits';

/** The conditions of a group and of the groups in it, each with its place in the group. */
export function conditionsOf(group: ConditionGroup): { condition: Condition; path: (string | number)[] }[] {
  const [name, members] = 'all' in group ? (['all', group.all] as const) : (['any', group.any] as const);
  return members.flatMap((member, index) =>
    'is' in member || 'audience' in member
      ? [{ condition: member, path: [name, index] }]
      : conditionsOf(member).map(({ condition, path }) => ({ condition, path: [name, index, ...path] })),
  );
}

/** A condition about what a customer did at a node before. */
export type StepCondition = AnswerCondition | ResultCondition;

export function isOfStep(condition: Condition): condition is StepCondition {
  return 'answer' in condition || 'result' in condition;
}

/** The key of the node that a condition asks for, and for a result the path into it. */
export function askedIn(condition: StepCondition): { node: string; path: string[] } {
  const [node, ...path] = 'answer' in condition ? [condition.answer] : condition.result.split('.');
  return { node, path };
}

/** The audiences that a version of a flow holds, as they were when it was published, by id. */
export type HeldAudiences = Record<string, ConditionGroup>;

/** The facts of a kind that conditions ask for, in the order of `FACTS`. */
export function factsAsked(conditions: { condition: Condition }[], of: FactKind['of']): Fact[] {
  if (conditions.length === 0) return [];
  const asked = new Set(conditions.flatMap(({ condition }) => ('fact' in condition ? condition.fact : [])));
  return FACT_NAMES.filter((fact) => asked.has(fact) && FACTS[fact].of === of);
}

/** What is wrong with conditions whatever they are for, each with its place in the group. */
export function conditionFaults(group: ConditionGroup): { path: (string | number)[]; message: string }[] {
  const conditions = conditionsOf(group);
  const faults = conditions.flatMap(({ condition, path }) => {
    if ('result' in condition && askedIn(condition).path.some((name) => /^-\d|^0\d/.test(name)))
      return [{ path: [...path, 'result'], message: 'has a place that no list has: they are counted from 0' }];
    const message = 'fact' in condition ? valueFault(condition) : undefined;
    return message === undefined ? [] : [{ path: [...path, 'value'], message }];
  });
  const tooMany = { path: [], message: `must have at most ${MAX_CONDITIONS} conditions` };
  return conditions.length > MAX_CONDITIONS ? [tooMany, ...faults] : faults;
}

/** Why no value of the fact could be like that of the condition; undefined if one could. */
function valueFault({ fact, is, value }: FactCondition): string | undefined {
  if (is === 'exists' || value === undefined) return undefined;
  const { type, values }: FactKind = FACTS[fact];
  if (ORDERED.includes(is) && type !== 'number') return `is not compared in size: ${fact} is not a number`;
  if ([value].flat().every((one) => isValueOf(fact, one))) return undefined;
  const form = { string: 'text', number: 'a number', boolean: 'true or false' };
  return `must be ${values ? `one of ${values.join(', ')}` : form[type]}, as the fact ${fact} is`;
}

/** The most characters of conditions that stand by themselves, as JSON: each version of a flow or offer holds them. */
const MAX_WHEN = 8000;

/**
 * The faults of the conditions of an audience, a webhook or an offer, each with a JSON Pointer to it. They name no
 * audience. Answers are checked where a flow uses them.
 */
export function faultsOfWhen(when: ConditionGroup): FieldError[] {
  const nested = conditionsOf(when).flatMap(({ condition, path }) =>
    'audience' in condition
      ? [{ path: [...path, 'audience'], message: 'must not be here: only branches and filters name audiences' }]
      : [],
  );
  const faults = [...nested, ...conditionFaults(when)].map(({ path, message }) => ({
    pointer: jsonPointer('when', ...path),
    message,
  }));
  const isTooLong = JSON.stringify(when).length > MAX_WHEN;
  return isTooLong
    ? [...faults, { pointer: '/when', message: `must be at most ${MAX_WHEN} characters as JSON` }]
    : faults;
}
