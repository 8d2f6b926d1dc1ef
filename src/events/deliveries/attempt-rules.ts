import type { Event } from '../event.entity';
import type { TransportName } from './delivery.entity';
import type { EventBody } from '../event-body';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds between an attempt and the next: ten attempts in about three days, as Standard Webhooks recommends. */
const WAITS = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

/** Each wait is up to this much shorter or longer, so that what failed together is not sent again together. */
const JITTER = 0.2;

/** A recipient of deliveries: see `Delivery.recipient_id`. */
export interface Recipient {
  workspace_id: string;
  id: string;
  transport: TransportName;
}

/** A recipient with all that an attempt needs. */
export interface Target extends Recipient {
  /** A URL or an e-mail address. */
  address: string;
  /** Whether nothing is noted against it that a success would end. */
  is_healthy: boolean;
}

/** A delivery whose attempt has begun. */
export interface Claim<T extends Target = Target> {
  target: T;
  event: Event;
  /** Attempts so far, this one included. */
  attempts: number;
  /** When it began: seconds since 1970. */
  begun_at: number;
  /**
   * When the event happened, as `performance.now()`, for the first attempt; null after that, and if it is sent again on
   * request.
   */
  happened_at: number | null;
  /** Whether it covers several events: those of all deliveries that name it in `summary_id`. */
  is_summary: boolean;
}

/** How an attempt ended. */
export type Ending =
  | { isDelivered: true; status?: number }
  | {
      isDelivered: false;
      error: string;
      status?: number;
      /** Seconds that the other side asked to wait. */
      retryAfter?: number;
      /** Seconds for which the other side takes nothing, because it limits: the attempt does not count. */
      limitedFor?: number;
      /** It would end the same way again. */
      isFinal?: boolean;
      /** Nothing was sent, so it says nothing about the recipient. */
      isUnsent?: boolean;
      /** Seconds until any process makes the attempt again, whatever the schedule says. */
      putBackFor?: number;
    };

/** Attempts that have begun at a recipient. */
export interface Claimed<T extends Target = Target> {
  claims: Claim<T>[];
  /** Whether more may be claimed at once. */
  hasMore: boolean;
  /** Seconds until the recipient's pace allows more. Without them, the next search of all finds it. */
  moreIn?: number;
}

/** The most attempts of a process that are under way: of all workspaces, of one, and at one recipient. */
export interface Shares {
  all: number;
  ofWorkspace: number;
  ofRecipient: number;
}

/** A way to deliver: what may be sent to whom, and how. The queue, retries and shares are the same for all of them. */
export interface Transport<T extends Target = Target> {
  readonly shares: Shares;
  /** The recipients, of all workspaces, with deliveries that are due. */
  due(): Promise<Recipient[]>;
  /** Begins attempts at deliveries to a recipient, up to `most`. Undefined while another process claims of it. */
  claim(recipient: Recipient, most: number): Promise<Claimed<T> | undefined>;
  /** Makes an attempt. `body` is undefined for a summary whose own session is gone. */
  send(claim: Claim<T>, body: EventBody | undefined): Promise<Ending>;
  /** Cuts off what is under way. */
  close(): void;
}

export const OUTCOMES = ['delivered', 'retried', 'limited', 'failed', 'dropped'] as const;

/** An attempt that has ended, as it is stored. */
export interface Result {
  claim: Claim;
  /** `limited`: retried, and not counted. `dropped`: nothing was sent, because its session is gone. */
  outcome: (typeof OUTCOMES)[number];
  /** Seconds until the next attempt; null unless it is retried. */
  delay: number | null;
  last_status: number | null;
  last_error: string | null;
  /** Whether it says something new about the recipient's health. */
  isCounted: boolean;
}

/** The result of an attempt. A test is attempted once, and is no mark against the webhook. */
export function resultOf(claim: Claim, ending: Ending): Result {
  const isTest = claim.event.type === 'test';
  const last_status = ending.status ?? null;
  if (ending.isDelivered) {
    const isCounted = !isTest && !claim.target.is_healthy;
    return { claim, outcome: 'delivered', delay: null, last_status, last_error: null, isCounted };
  }
  const { error: last_error, isFinal = false, isUnsent = false, retryAfter, putBackFor, limitedFor } = ending;
  if (limitedFor !== undefined && !isTest)
    return { claim, outcome: 'limited', delay: limitedFor, last_status, last_error, isCounted: true };
  const isLast = isTest || isFinal;
  const delay = putBackFor ?? (isLast ? undefined : nextAttemptIn(claim.attempts, retryAfter));
  const result = { claim, last_status, last_error, isCounted: !isTest && !isUnsent };
  if (delay !== undefined) return { ...result, outcome: 'retried', delay };
  return { ...result, outcome: isUnsent && isFinal ? 'dropped' : 'failed', delay: null };
}

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
  return Math.max(jittered, retryAfter);
}

/**
 * The shortest and the longest that a receiver may have a webhook wait, in seconds. `Retry-After: 0` would be a loop.
 */
const SHORTEST_LIMIT = 1;
const LONGEST_LIMIT = HOUR;
/** The pause for a receiver that limits and does not say how long. */
const USUAL_LIMIT = 30;

/**
 * Seconds for which a receiver that limits takes nothing; undefined if it fails instead. 429 says that it limits (RFC
 * 6585). So does 503 that says when to come back (RFC 9110, 15.6.4), unless it has said so for an hour without a
 * success.
 */
export function limitOf(
  { status, retryAfter }: { status: number; retryAfter?: number },
  mayLimitWith503: boolean,
): number | undefined {
  if (status !== 429 && !(status === 503 && retryAfter !== undefined && mayLimitWith503)) return undefined;
  return Math.max(SHORTEST_LIMIT, Math.min(retryAfter ?? USUAL_LIMIT, LONGEST_LIMIT));
}

/**
 * How many more a workspace may begin of what all workspaces share: until it has as many under way as are free. Of k
 * workspaces that take all they get, each has a part in k + 1, and the last part stays free. One that has none under
 * way may have the last.
 */
export function roomFor(underWay: number, free: number): number {
  return Math.max(0, Math.ceil((free - underWay) / 2));
}
