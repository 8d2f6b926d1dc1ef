import { WEB_URL } from './schemas';

const WEB_URL_FORM = new RegExp(WEB_URL.pattern, 'u');

/** Whether Postgres can store the text, and UTF-8 can encode it: no NUL character, no unpaired surrogate. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** The length in Unicode code points, as Postgres and JSON Schema count, not in UTF-16 units. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** Whether a value is text of at most this many characters that can be stored. */
export function isText(value: unknown, max: number): value is string {
  return typeof value === 'string' && isStorable(value) && lengthOf(value) <= max;
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** Whether the text is an absolute http(s) URL that browsers open unchanged (WHATWG): no credentials, no backslash. */
export function isWebUrl(text: string): boolean {
  return WEB_URL_FORM.test(text) && hasShortHost(text) && isUrl(text);
}

/**
 * The name of a host has up to 253 characters (RFC 1035). To encode a longer one in other letters takes milliseconds.
 */
function hasShortHost(text: string): boolean {
  return !/^\w+:\/\/(?=[^/?#]*[^\x21-\x24\x26-\x7e])[^/?#]{260}/.test(text);
}

/** Not `URL.canParse`: once Node 20 has optimised it, it refuses every URL with a letter such as ü. */
function isUrl(text: string): boolean {
  try {
    return new URL(text).href !== '';
  } catch {
    return false;
  }
}

/** Origins of pages in apps: Capacitor, Ionic, Tauri, and a scheme of one's own, which browsers make no URL of. */
const APP_ORIGIN = /^(?:(?:capacitor|ionic|tauri):\/\/localhost|app:\/\/[a-z0-9.-]{1,200})$/;

/** Whether a page of a site or an app may have it as the origin of its requests. */
export function isOrigin(text: string): boolean {
  return isWebOrigin(text) || APP_ORIGIN.test(text);
}

/**
 * Whether the text is an `Origin` header as browsers send it (RFC 6454): scheme, host and port; no path, no wildcard.
 */
export function isWebOrigin(text: string): boolean {
  return isWebUrl(text) && new URL(text).origin === text && !text.includes('*');
}
