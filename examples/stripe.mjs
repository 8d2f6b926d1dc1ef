// Applies accepted offers to subscriptions at Stripe: each exactly once, however often, by whom and from where it is asked to.
// Of two offers to one subscription, the one that was accepted later stays, whichever comes first.
import { setTimeout as pause } from 'node:timers/promises';

const { STRIPE_API = 'https://api.stripe.com', STRIPE_SECRET_KEY } = process.env;
if (!STRIPE_SECRET_KEY) throw new Error('Set STRIPE_SECRET_KEY to a secret key of your Stripe account.');
const ATTEMPTS = 8;

/** In the metadata of a subscription: the session whose coupon it has, and, by session, what else it was offered. */
const APPLIED = 'retention_flow';
const ACCEPTED = 'rf_';

/**
 * Applies the offer that a customer accepted in a session. What needs a person is printed as "left to you", and is over.
 * It throws if it is worth trying again.
 */
export async function applyOffer({ session, acceptedAt, isSigned, attributes, metadata }) {
  const { stripe_coupon: coupon } = metadata; // as it was when the customer saw the offer
  const subscription = attributes?.stripe_subscription;
  // What your page says, anybody can say. Only a customer token (docs/signed-customers.md) says whose subscription it is.
  if (!isSigned || !subscription || !coupon) return console.warn(`${session}: left to you`);
  try {
    const applied = await applyCoupon(coupon, { subscription, session, acceptedAt });
    console.log(`${session}: ${applied === session ? `${coupon} applied` : `the later offer of ${applied} stays`}`);
  } catch (error) {
    if (!error.isFinal) throw error;
    console.error(`${session}: left to you. ${error.message}`);
  }
}

/** An error response of Stripe. */
class StripeError extends Error {
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
 * Replaces the discounts of a subscription by the coupon of the offer that was accepted last, and returns its session.
 *
 * The subscription remembers in its metadata what was accepted, and whose coupon it has. Stripe changes these together with
 * the discounts, so a coupon that is in place is not applied again, and an earlier offer leaves it there. Two requests at
 * once may miss each other: then each looks again at what the subscription has, until that is the latest. Requests for the
 * same change have the same Idempotency-Key, so that Stripe carries out one of them.
 */
async function applyCoupon(coupon, { subscription, session, acceptedAt }) {
  const path = `/v1/subscriptions/${encodeURIComponent(subscription)}`;
  let failures = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      const { metadata } = await request('GET', path);
      const [[latest, value]] = Object.entries({ ...metadata, [ACCEPTED + session]: `${acceptedAt} ${coupon}` })
        .filter(([name]) => name.startsWith(ACCEPTED))
        .toSorted(([, one], [, other]) => (one < other ? 1 : -1));
      if (metadata[APPLIED] === latest) return latest.slice(ACCEPTED.length);
      const changes = {
        'discounts[0][coupon]': value.slice(value.indexOf(' ') + 1),
        [`metadata[${latest}]`]: value,
        [`metadata[${APPLIED}]`]: latest,
      };
      await request('POST', path, changes, `${latest}-${metadata[APPLIED]}-${failures}`);
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
