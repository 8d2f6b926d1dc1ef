/** The value of an attribute. The console uses this file, so it imports nothing. */
type Value = string | number | boolean | null;
export type Attributes = Record<string, Value>;

/** The most characters of a value in a text. */
const MAX_VALUE = 200;
/** Placeholders for the offer's own values in its texts. */
export const OF_OFFER = ['value', 'duration'];
/**
 * Placeholders for what billing knows, in the texts of an offer: a sentence is left out if one of its own is not known.
 */
export const OF_BILLING = ['price_now', 'price_then', 'changes_on', 'until'];
/** Placeholders for the flow's own values in the texts of its graph. */
export const OF_FLOW = ['product_name'];
/** The same in what a customer reads who has canceled: `until` is the day on which the subscription ends. */
export const OF_CANCELED = [...OF_FLOW, 'until'];
/** The most placeholders in a text. */
export const MAX_PLACEHOLDERS = 10;
/** How long a text of this length becomes at most with its values. */
export const withValues = (max: number): number => max + MAX_PLACEHOLDERS * MAX_VALUE;

/** {{name|words}}: the name of an attribute, and the words in place of a value that is missing. */
const PLACEHOLDER = /\{\{([^{}|]*)(?:\|([^{}|]*))?\}\}/g;

/**
 * The fault of a text's placeholders; undefined if there is none.
 *
 * @param own names that are always known, and need no words after a bar
 */
export function placeholderFault(text: string, own: readonly string[] = []): string | undefined {
  const found = [...text.matchAll(PLACEHOLDER)];
  if (text.replace(PLACEHOLDER, '').includes('{{')) {
    return 'has a placeholder that is not like {{first_name|there}}: the name of an attribute, a bar, words, two braces on each side';
  }
  for (const [placeholder, name, words = ''] of found) {
    if (name.trim() === '') return `has a placeholder without a name: ${placeholder}`;
    if (words.trim() === '' && !own.includes(name.trim())) {
      return `has a placeholder without words for customers who have no such attribute: write {{${name.trim()}|there}}`;
    }
  }
  if (found.length > MAX_PLACEHOLDERS) return `must have at most ${MAX_PLACEHOLDERS} placeholders`;
  return undefined;
}

/** The names of the placeholders of a text, each once, in alphabetical order. */
export function namesIn(text: string): string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name]) => name.trim()))].toSorted();
}

/** The fault of a translation's placeholders; undefined if there is none. Its words after the bar may differ. */
export function translationFault(translation: string, text: string, own: readonly string[]): string | undefined {
  const names = namesIn(text);
  const isSame = namesIn(translation).join() === names.join();
  const placeholders = names.map((name) => `{{${name}}}`).join(', ');
  return (
    placeholderFault(translation, own) ??
    (isSame ? undefined : `must have the placeholders of the text that it translates: ${placeholders || 'none'}`)
  );
}

/**
 * The text with values in place of its placeholders, at most 200 characters of each. A value that is missing, null or
 * blank leaves the words after the bar. A value is plain text: a placeholder in it is not looked at.
 *
 * @param own values that are always known; they take precedence over attributes
 */
export function resolve(text: string, attributes: Attributes, own: Record<string, string> = {}): string {
  if (!text.includes('{{')) return text;
  return text.replace(PLACEHOLDER, (placeholder, name: string, words?: string) => {
    const key = name.trim();
    const value = [own, attributes].find((values) => Object.hasOwn(values, key))?.[key];
    const shown = value === undefined || value === null ? '' : String(value);
    if (shown.trim() !== '') return [...shown].slice(0, MAX_VALUE).join('');
    // Without words, only an own value is meant.
    return words ?? (Object.hasOwn(own, key) ? '' : placeholder);
  });
}

/** The text without the sentences that have a placeholder without words, whose value is not known. */
export function withoutUnknown(text: string, names: readonly string[], attributes: Attributes): string {
  const unknown = names.filter((name) => String(attributes[name] ?? '').trim() === '');
  const hasUnknown = (part: string) =>
    [...part.matchAll(PLACEHOLDER)].some(([, name, words]) => !words && unknown.includes(name.trim()));
  if (!hasUnknown(text)) return text;
  const sentences = [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text)];
  return sentences
    .filter(({ segment }) => !hasUnknown(segment))
    .map(({ segment }) => segment)
    .join('')
    .trim();
}
