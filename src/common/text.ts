import { WEB_URL } from './schemas';

/** The rules of text, each once: what may be stored, how it is counted, what a URL and an origin are. */

const WEB_URL_FORM = new RegExp(WEB_URL.pattern, 'u');

/** Whether Postgres can store the text and UTF-8 carry it: no NUL character, no unpaired surrogate. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Length in characters as Postgres and JSON Schema count them: Unicode code points, not UTF-16 units. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** An absolute http or https URL that a browser opens as it is written (WHATWG): host, no credentials, no backslash. */
export function isWebUrl(text: string): boolean {
  return WEB_URL_FORM.test(text) && URL.canParse(text);
}

/** An origin as a browser sends it in the header `Origin` (RFC 6454): scheme, host and port, no path and no wildcard. */
export function isWebOrigin(text: string): boolean {
  return isWebUrl(text) && new URL(text).origin === text && !text.includes('*');
}
