import { createHash } from 'node:crypto';
import { Problem } from './problems/problem';

/** The ETags that a change accepts, or any. */
export type IfMatch = string[] | '*';

/**
 * Fields that change although nobody changes the thing: the health of a webhook or a connection, faults of a draft that
 * depend on offers, usage.
 */
interface Moving {
  attention?: unknown;
  failing_since?: unknown;
  unread_subscriptions?: unknown;
  faults?: unknown;
  usage?: { session_limit: number | null };
}

/** The ETag of a thing, of the response that shows it. */
export function etagOf(shown: object): string {
  // At the top only: metadata may have the same names.
  const { attention: _, failing_since: __, unread_subscriptions: ___, faults: ____, usage, ...own } = shown as Moving;
  const text = JSON.stringify(usage ? { ...own, session_limit: usage.session_limit } : own);
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

/**
 * Throws a 412 if a thing is not one that a change accepts, in none of the forms in which it is shown. The thing has to
 * be locked, so that it stays as it is.
 */
export function requireMatch(ifMatch: IfMatch, ...shown: object[]): void {
  const isOne = ifMatch === '*' || shown.some((form) => ifMatch.includes(etagOf(form)));
  if (!isOne) throw new Problem('changed_meanwhile');
}
