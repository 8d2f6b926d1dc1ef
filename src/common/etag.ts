import { createHash } from 'node:crypto';
import { Problem } from './problem';

/** The ETags that a change accepts, or any. */
export type IfMatch = string[] | '*';

/** What changes although nobody changes the thing: usage, the health of a webhook, faults that depend on offers. */
const MOVING = new Set(['sessions_used', 'period_start', 'period_end', 'failing_since', 'faults']);

/** The ETag of a thing, of the response that shows it. */
export function etagOf(shown: object): string {
  const text = JSON.stringify(shown, (field, value: unknown) => (MOVING.has(field) ? undefined : value));
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

/** Throws a 412 if a thing is not one that a change accepts. The thing has to be locked, so that it stays as it is. */
export function requireMatch(ifMatch: IfMatch, shown: object): void {
  if (ifMatch !== '*' && !ifMatch.includes(etagOf(shown))) throw new Problem('changed_meanwhile');
}
