import { type Fact, type FactKind, FACT_NAMES, FACTS, isValueOf } from './facts';
import type { Condition, ConditionGroup, FactCondition, FlowDefinition } from './flow-definition';

/** The conditions of a group and of the groups in it, each with its place in the group. */
export function conditionsOf(group: ConditionGroup): { condition: Condition; path: (string | number)[] }[] {
  const [name, members] = 'all' in group ? (['all', group.all] as const) : (['any', group.any] as const);
  return members.flatMap((member, index) =>
    'is' in member
      ? [{ condition: member, path: [name, index] }]
      : conditionsOf(member).map(({ condition, path }) => ({ condition, path: [name, index, ...path] })),
  );
}

/** The facts of a kind that a graph asks for, in the order of `FACTS`. */
export function factsIn({ nodes }: FlowDefinition, of: FactKind['of']): Fact[] {
  const conditions = nodes.flatMap((node) =>
    node.type === 'branch' ? node.config.ways.flatMap(({ when }) => conditionsOf(when)) : [],
  );
  if (conditions.length === 0) return [];
  const asked = new Set(conditions.flatMap(({ condition }) => ('fact' in condition ? condition.fact : [])));
  return FACT_NAMES.filter((fact) => asked.has(fact) && FACTS[fact].of === of);
}

/** Why no value of the fact could be like that of the condition; undefined if one could. */
export function valueFault({ fact, is, value }: FactCondition): string | undefined {
  if (is === 'exists' || value === undefined) return undefined;
  const { type, values }: FactKind = FACTS[fact];
  if (['<', '<=', '>', '>='].includes(is) && type !== 'number')
    return `is not compared in size: ${fact} is not a number`;
  if ([value].flat().every((one) => isValueOf(fact, one))) return undefined;
  const form = { string: 'text', number: 'a number', boolean: 'true or false' };
  return `must be ${values ? `one of ${values.join(', ')}` : form[type]}, as the fact ${fact} is`;
}
