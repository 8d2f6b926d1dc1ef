import type { Json } from '../platform/common/json';
import type {
  AnswerCondition,
  AttributeCondition,
  Condition,
  ConditionGroup,
  ConditionValue,
  PlainCondition,
} from './condition.dto';
import { askedIn, type HeldAudiences } from './conditions';
import type { Facts } from './facts';

/** What conditions ask of a customer. */
export interface KnownOfCustomer {
  /** The customer's attributes, as the site gave them. */
  attributes: Record<string, ConditionValue>;
  /** What the billing system and earlier sessions say of them. */
  facts: Facts;
  /** What the audiences are that conditions name. */
  audiences: HeldAudiences;
  /** The options that were answered, by the key of the survey. */
  answers: ReadonlyMap<string, string[]>;
  /** The results of nodes of the site's own, by the key of the node. */
  results: ReadonlyMap<string, Json | undefined>;
}

type Compares = (value: unknown, wanted: PlainCondition['value']) => boolean;

type ComparesAnswer = (chosen: string[], wanted: string[]) => boolean;

const isAmong: Compares = (value, wanted) => (wanted as unknown[]).includes(value);

/** Only numbers have an order. */
const numbers =
  (compares: (value: number, wanted: number) => boolean): Compares =>
  (value, wanted) =>
    typeof value === 'number' && compares(value, wanted as number);

/** Values of different types are different. */
const COMPARES: Record<AttributeCondition['is'], Compares> = {
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

const isAnyOf: ComparesAnswer = (chosen, wanted) => wanted.some((one) => chosen.includes(one));
const isOnly: ComparesAnswer = (chosen, [wanted]) => chosen.length === 1 && chosen[0] === wanted;

/** Comparisons with several answers of a survey: `=` is this one alone. */
const COMPARES_ANSWERS: Record<AnswerCondition['is'], ComparesAnswer> = {
  '=': isOnly,
  '!=': (chosen, wanted) => !isOnly(chosen, wanted),
  in: isAnyOf,
  not_in: (chosen, wanted) => !isAnyOf(chosen, wanted),
  includes: isAnyOf,
  exists: () => true,
};

/** Whether the conditions of a group hold. */
export function holds(group: ConditionGroup, known: KnownOfCustomer): boolean {
  const isMet = (member: Condition | ConditionGroup): boolean => {
    if ('is' in member) return meets(member, known);
    if ('audience' in member) return isIn(member.audience, known);
    return holds(member, known);
  };
  return 'all' in group ? group.all.every(isMet) : group.any.some(isMet);
}

/** An audience that the version does not hold has nobody. */
function isIn(audience: string, known: KnownOfCustomer): boolean {
  const { audiences } = known;
  return Object.hasOwn(audiences, audience) && holds(audiences[audience], known);
}

/** A condition about what is not known is false, whatever it compares. */
function meets(condition: PlainCondition, known: KnownOfCustomer): boolean {
  const { attributes, answers, facts } = known;
  if ('answer' in condition) {
    const chosen = answers.get(condition.answer);
    return chosen !== undefined && COMPARES_ANSWERS[condition.is](chosen, [condition.value ?? []].flat());
  }
  if ('result' in condition) {
    const { node, path } = askedIn(condition);
    const value = path.reduce<unknown>(ownValue, known.results.get(node));
    return value !== undefined && COMPARES[condition.is](value, condition.value);
  }
  const value = 'fact' in condition ? facts[condition.fact] : ownValue(attributes, condition.attribute);
  return value !== undefined && COMPARES[condition.is](value, condition.value);
}

/** A field of an object, or what is at a place of a list. Sites name fields as they like, `constructor` too. */
function ownValue(from: unknown, name: string): unknown {
  if (typeof from !== 'object' || from === null) return undefined;
  // A list has a length, too.
  if (Array.isArray(from) && !/^\d+$/.test(name)) return undefined;
  return Object.hasOwn(from, name) ? from[name as keyof typeof from] : undefined;
}
