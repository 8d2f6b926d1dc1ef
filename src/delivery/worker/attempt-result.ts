import type { OutboundResponse } from '../../http/outbound';
import type { Claim, Result, Target } from './worker-statements';
import { nextAttemptIn } from './retry-schedule';

/** How an attempt ended: with a response, or without one for a reason. */
export type Ending = { response: OutboundResponse } | { error: string };

/** An attempt that has ended. */
export interface Attempt extends Result {
  workspace_id: string;
  /** Where it was sent. The webhook may have another URL by now. */
  url: string;
  /** For the metric. */
  outcome: 'delivered' | 'retried' | 'failed' | 'dropped';
  /** Whether it says something new about the webhook's health. */
  isCounted: boolean;
  /** The webhook asked never to be called again. */
  isGone: boolean;
}

/** The result of an attempt. A test is attempted once, and is no mark against the webhook. */
export function resultOf(target: Target, claim: Claim, ending: Ending): Attempt {
  const isTest = claim.event.type === 'test';
  const { status, excerpt, retryAfter } = 'response' in ending ? ending.response : {};
  const own = { ...namesOf(target, claim), last_status: status ?? null, isCounted: !isTest, isGone: false };
  if (status !== undefined && status >= 200 && status < 300) {
    const isCounted = own.isCounted && target.failures > 0;
    return { ...own, status: 'delivered', outcome: 'delivered', delay: null, last_error: null, isCounted };
  }
  const last_error = 'error' in ending ? ending.error : excerpt || sentenceOf(status!);
  const isGone = status === 410 && !isTest;
  const delay = isTest || isGone ? undefined : nextAttemptIn(claim.attempts, retryAfter);
  return delay === undefined
    ? { ...own, status: 'failed', outcome: 'failed', delay: null, last_error, isGone }
    : { ...own, status: 'pending', outcome: 'retried', delay, last_error };
}

/** For a response without a body. */
function sentenceOf(status: number): string {
  const isRedirect = status >= 300 && status < 400;
  return `The response was ${status}${isRedirect ? ', and redirects are not followed' : ''}.`;
}

/** The result if the session of an event is gone. */
export function droppedResult(target: Target, claim: Claim): Attempt {
  const last_error = 'The session was deleted before the event was sent.';
  const result = { status: 'failed', outcome: 'dropped', delay: null, last_status: null, last_error } as const;
  return { ...namesOf(target, claim), ...result, isCounted: false, isGone: false };
}

/** The result of an attempt that this process gives up, for a reason of its own. Any process may make it again after `delay` seconds. */
export function putBackResult(target: Target, claim: Claim, last_error: string, delay: number): Attempt {
  const result = { status: 'pending', outcome: 'retried', delay, last_status: null, last_error } as const;
  return { ...namesOf(target, claim), ...result, isCounted: false, isGone: false };
}

function namesOf({ workspace_id, id, url }: Target, { event, attempts }: Claim) {
  return { workspace_id, webhook_id: id, url, event_id: event.id, attempts };
}
