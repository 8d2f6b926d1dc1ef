const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds between an attempt and the next: ten attempts in about three days, as Standard Webhooks recommends. */
const WAITS = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

/** Each wait is up to this much shorter or longer, so that what failed together is not sent again together. */
const JITTER = 0.2;

/** The longest Retry-After that is honoured, in seconds. */
const MAX_RETRY_AFTER = 24 * HOUR;

/**
 * Seconds until the next attempt of a delivery; undefined after the tenth, which is the last one.
 *
 * @param attempts how many have been made, at least 1
 * @param retryAfter seconds that the receiver asked for. They count if they are more than the schedule's.
 */
export function nextAttemptIn(attempts: number, retryAfter = 0, random = Math.random): number | undefined {
  const wait = WAITS[attempts - 1];
  if (wait === undefined) return undefined;
  const jittered = wait * (1 + JITTER * (2 * random() - 1));
  return Math.max(jittered, Math.min(retryAfter, MAX_RETRY_AFTER));
}
