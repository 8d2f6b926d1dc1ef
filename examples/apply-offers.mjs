// Applies accepted offers to subscriptions at Stripe, each exactly once, though this process be killed at any moment.
//
//   node examples/apply-offers.mjs
//
// It asks for the sessions that were saved since it last asked. How far it got is in a file, which is written when
// everything up to there is applied: killed before that, it asks for the same sessions again, and stripe.mjs applies no
// coupon twice. Let your process manager start it again when it ends: it ends when the service or Stripe is down for long.
import { open, readFile, rename } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { RetentionFlow } from '@retention-flow/client';
import { applyCoupon } from './stripe.mjs';

const { RETENTION_FLOW_URL: baseUrl = 'http://127.0.0.1:3000', RETENTION_FLOW_API_KEY: apiKey } = process.env;
const { STATE_FILE = 'apply-offers.json' } = process.env;
const EVERY_MS = 5000;

const rf = new RetentionFlow({ baseUrl, apiKey });

let { updated_until } = await readState();
for (;;) {
  const changes = rf.sessions.list({ status: 'saved', updated_since: updated_until });
  const accepted = [];
  for await (const session of changes) if (session.accepted_offer) accepted.push(session);
  // They come newest first. Of two offers to one subscription, the later one stays.
  for (const session of accepted.toReversed()) await apply(session);
  ({ updated_until } = await changes);
  await writeState({ updated_until });
  await pause(EVERY_MS);
}

async function apply({ id, accepted_offer }) {
  const { customer_verified, customer } = await rf.sessions.get(id);
  const { stripe_coupon } = accepted_offer.metadata; // as it was when the customer saw the offer
  const subscriptionId = customer?.attributes?.stripe_subscription;
  // What your page says, anybody can say. Only a customer token (docs/signed-customers.md) says whose subscription it is.
  if (!customer_verified || !subscriptionId || !stripe_coupon) return console.warn(`${id}: left to you`);
  try {
    await applyCoupon(stripe_coupon, { subscriptionId, sessionId: id });
    console.log(`${id}: ${stripe_coupon} applied`);
  } catch (error) {
    if (!error.isFinal) throw error;
    console.error(`${id}: left to you. ${error.message}`); // and the others get theirs
  }
}

async function readState() {
  try {
    return JSON.parse(await readFile(STATE_FILE, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return { updated_until: '2020-01-01T00:00:00Z' }; // the first time: all there are
    throw error;
  }
}

/** The file is always whole: it is the one of before or this one, whatever happens meanwhile. */
async function writeState(state) {
  const file = await open(`${STATE_FILE}.new`, 'w');
  await file.writeFile(JSON.stringify(state));
  await file.sync();
  await file.close();
  await rename(`${STATE_FILE}.new`, STATE_FILE);
}
