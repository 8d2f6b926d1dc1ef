// Applies a coupon to a subscription at Stripe exactly once, however often, by whom and from where it is asked to.
import { setTimeout as pause } from 'node:timers/promises';

const { STRIPE_API = 'https://api.stripe.com', STRIPE_SECRET_KEY } = process.env;
if (!STRIPE_SECRET_KEY) throw new Error('Set STRIPE_SECRET_KEY to a secret key of your Stripe account.');
const ATTEMPTS = 8;

/** An error response of Stripe. */
export class StripeError extends Error {
  constructor({ status, headers }, { error }) {
    super(`Stripe: ${status} ${error?.message}`);
    this.status = status;
    this.isReplayed = headers.get('idempotent-replayed') === 'true';
  }

  /** Stripe will say the same as long as the coupon and the subscription are as they are. */
  get isFinal() {
    return this.status === 400 || this.status === 404;
  }
}

/**
 * Replaces the discounts of a subscription by a coupon, once for a session.
 *
 * Two things make it once. The subscription remembers the session in its metadata, which Stripe changes together with the
 * discounts. And requests that are under way at the same time, such as one of a process that was killed, have the same
 * Idempotency-Key, so that Stripe carries out one of them. The key alone would do for 24 hours: Stripe keeps it at least
 * so long.
 */
export async function applyCoupon(coupon, { subscriptionId, sessionId }) {
  const path = `/v1/subscriptions/${encodeURIComponent(subscriptionId)}`;
  const changes = { 'discounts[0][coupon]': coupon, [`metadata[${sessionId}]`]: coupon };
  let failures = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      const { metadata } = await request('GET', path);
      if (!(sessionId in metadata)) await request('POST', path, changes, `${sessionId}-${failures}`);
      return;
    } catch (error) {
      // Stripe repeats a failure, too, to everybody who comes with its key, even when its cause is gone. So the next attempt
      // needs another key.
      const isOver = !error.isReplayed && (error.isFinal || error.status === 401);
      if (isOver || attempt === ATTEMPTS) throw error;
      if (error.isReplayed) failures++;
      await pause(100 * 2 ** attempt * (0.5 + Math.random() / 2));
    }
  }
}

async function request(method, path, form, key) {
  const response = await fetch(STRIPE_API + path, {
    method,
    headers: {
      authorization: `Bearer ${STRIPE_SECRET_KEY}`,
      'stripe-version': '2025-03-31.basil',
      ...(key && { 'idempotency-key': key }),
    },
    ...(form && { body: new URLSearchParams(form) }),
    signal: AbortSignal.timeout(30_000),
  });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new StripeError(response, body);
  return body;
}
