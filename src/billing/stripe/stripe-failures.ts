// oxlint-disable-next-line import/no-named-as-default -- only its ES modules have the named export
import Stripe from 'stripe';
import { BillingFailure, orFailure } from '../model/provider';

const MAX_DETAIL = 1000;
const CONFLICT = 409;
const UNAUTHORIZED = 401;
const FORBIDDEN = 403;

/** The answer of Stripe. */
export async function asked<T>(answer: PromiseLike<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw failureIn(error);
  }
}

/** The answer of Stripe, or that the key may not ask for it. */
export const allowed = <T>(answer: PromiseLike<T>): Promise<T | 'forbidden'> => orFailure(asked(answer), 'forbidden');

/** The answer of Stripe, or that it does not know the thing. */
export const known = <T>(answer: PromiseLike<T>): Promise<T | 'unknown'> => orFailure(asked(answer), 'unknown');

/** Whether the key may not do it. There is nothing to do it to, which Stripe says in one way or another. */
export async function isForbidden(answer: PromiseLike<object>): Promise<boolean> {
  const tried = await orFailure(orFailure(allowed(answer), 'unknown'), 'rejected');
  return tried === 'forbidden';
}

/** An error of the package as one of a billing system. Any other is a fault of ours. */
export function failureIn(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { statusCode, code, headers } = error;
  const { StripeAPIError, StripeConnectionError, StripeRateLimitError } = Stripe.errors;
  const message = `Stripe: ${error.message}`.slice(0, MAX_DETAIL);
  if (statusCode === UNAUTHORIZED) return new BillingFailure('refused', message);
  if (statusCode === FORBIDDEN) return new BillingFailure('forbidden', message);
  // A request with the same key is under way.
  const isUnderWay = statusCode === CONFLICT;
  const isAnswered = error instanceof StripeAPIError && !isUnderWay;
  const isPassing =
    isAnswered || isUnderWay || error instanceof StripeConnectionError || error instanceof StripeRateLimitError;
  if (!isPassing) return new BillingFailure(code === 'resource_missing' ? 'unknown' : 'rejected', message);
  return new BillingFailure('passing', message, isAnswered, Number(headers?.['retry-after']) || undefined);
}
