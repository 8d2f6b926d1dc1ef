const WORDS: Record<string, string> = {
  '=': 'is',
  '!=': 'is not',
  in: 'is one of',
  not_in: 'is none of',
  exists: 'is known',
};

/** The condition of a branch's way, in words: plan is pro and seats > 5. A condition that is not complete says what it can. */
export function conditionWords(condition: unknown, isInner = false): string {
  if (typeof condition !== 'object' || condition === null) return '';
  const { all, any, attribute, answer, is, value } = condition as Record<string, unknown>;
  const group = all ?? any;
  if (Array.isArray(group)) {
    const words = group.map((one) => conditionWords(one, true)).join(all ? ' and ' : ' or ');
    return isInner && group.length > 1 ? `(${words})` : words;
  }
  const subject = typeof attribute === 'string' ? attribute : `answer to ${String(answer ?? '…')}`;
  const verb = WORDS[String(is)] ?? String(is ?? '…');
  return [subject, verb, is === 'exists' ? '' : valueWords(value)].filter(Boolean).join(' ');
}

function valueWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueWords).join(', ');
  return typeof value === 'object' ? String(value && '…') : String(value ?? '…');
}
