import type { Comparison, Condition, ConditionGroup, ConditionValue } from '../../flows/flow-definition';

/** What conditions are about. */
export interface Known {
  attributes: Record<string, ConditionValue>;
  /** The options that were answered, by the key of the survey. */
  answers: Map<string, string>;
}

type Compares = (value: ConditionValue, wanted: Condition['value']) => boolean;

const isAmong: Compares = (value, wanted) => (wanted as ConditionValue[]).includes(value);

/** Only numbers have an order. */
const numbers =
  (compares: (value: number, wanted: number) => boolean): Compares =>
  (value, wanted) =>
    typeof value === 'number' && compares(value, wanted as number);

/** Values of different types are different. */
const COMPARES: Record<Comparison, Compares> = {
  '=': (value, wanted) => value === wanted,
  '!=': (value, wanted) => value !== wanted,
  in: isAmong,
  not_in: (value, wanted) => !isAmong(value, wanted),
  '<': numbers((value, wanted) => value < wanted),
  '<=': numbers((value, wanted) => value <= wanted),
  '>': numbers((value, wanted) => value > wanted),
  '>=': numbers((value, wanted) => value >= wanted),
  exists: () => true,
};

/** Whether the conditions of a group hold. */
export function holds(group: ConditionGroup, known: Known): boolean {
  const isMet = (member: Condition | ConditionGroup) => ('is' in member ? meets(member, known) : holds(member, known));
  return 'all' in group ? group.all.every(isMet) : group.any.some(isMet);
}

/** A condition about an attribute or an answer that there is not is false, whatever it compares. */
function meets({ attribute, answer, is, value: wanted }: Condition, { attributes, answers }: Known): boolean {
  const value = attribute === undefined ? answers.get(answer!) : ownValue(attributes, attribute);
  return value !== undefined && COMPARES[is](value, wanted);
}

/** Customers name their attributes as they like, `constructor` too. */
function ownValue(attributes: Known['attributes'], name: string): ConditionValue | undefined {
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined;
}
