/** The longest text that a subject quotes, in characters. */
const MAX_IN_SUBJECT = 100;

/** A text as a single line without control characters, such as those that would end a header field. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** The lines of a text, without control characters. */
export function linesOf(text: string): string[] {
  return text
    .trim()
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.replaceAll(/\p{Cc}/gu, ' ').trimEnd());
}

/** A text as it fits into a subject. */
export function clipped(text: string): string {
  const characters = [...oneLine(text)];
  if (characters.length <= MAX_IN_SUBJECT) return characters.join('');
  return `${characters
    .slice(0, MAX_IN_SUBJECT - 1)
    .join('')
    .trimEnd()}…`;
}
