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
import { applyOffer } from './stripe.mjs';

const { RETENTION_FLOW_URL: baseUrl = 'http://127.0.0.1:3000', RETENTION_FLOW_API_KEY: apiKey } = process.env;
const { STATE_FILE = 'apply-offers.json' } = process.env;
const EVERY_MS = 5000;

const rf = new RetentionFlow({ baseUrl, apiKey });

let { updated_until } = await readState();
for (;;) {
  const changes = rf.sessions.list({ status: 'saved', updated_since: updated_until });
  for await (const { id, accepted_offer, customer_verified, updated_at } of changes) {
    if (!accepted_offer) continue;
    const { customer } = await rf.sessions.get(id);
    await applyOffer({
      session: id,
      acceptedAt: updated_at,
      isSigned: customer_verified,
      attributes: customer?.attributes,
      metadata: accepted_offer.metadata,
    });
  }
  ({ updated_until } = await changes);
  await writeState({ updated_until });
  await pause(EVERY_MS);
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
