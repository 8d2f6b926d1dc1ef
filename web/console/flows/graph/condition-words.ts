import { audienceName } from '../audience-names';
import { factLabel } from '../fact-words';

const WORDS: Record<string, string> = {
  '=': 'is',
  '!=': 'is not',
  in: 'is one of',
  not_in: 'is none of',
  includes: 'includes',
  exists: 'is known',
};

/**
 * The condition of a branch's way, in words: plan is pro and seats > 5. A condition that is not complete says what it
 * can.
 */
export function conditionWords(condition: unknown, isInner = false): string {
  if (typeof condition !== 'object' || condition === null) return '';
  const { all, any, audience, fact, attribute, answer, result, is, value } = condition as Record<string, unknown>;
  const group = all ?? any;
  if (Array.isArray(group)) {
    const words = group.map((one) => conditionWords(one, true)).join(all ? ' and ' : ' or ');
    return isInner && group.length > 1 ? `(${words})` : words;
  }
  if (typeof audience === 'string') return `in “${audienceName(audience)}”`;
  const subject = subjectOf(fact, attribute, answer, result);
  const verb = WORDS[words(is)] ?? words(is);
  return [subject, verb, is === 'exists' ? '' : words(value)].filter(Boolean).join(' ');
}

function subjectOf(fact: unknown, attribute: unknown, answer: unknown, result: unknown): string {
  if (typeof fact === 'string') return factLabel(fact);
  if (result !== undefined) return `result ${words(result)}`;
  return attribute === undefined ? `answer to ${words(answer)}` : words(attribute);
}

/** A value, or a list of values. What is neither is left open. */
function words(value: unknown): string {
  if (Array.isArray(value)) return value.map(words).join(', ');
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? String(value) : '…';
}
