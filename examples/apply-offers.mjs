// Applies accepted offers in a billing system that the service does not know. For Stripe you need no program: docs/billing.md.
//
//   BILLING_URL=https://billing.acme.example WEBHOOK_SECRET=whsec_… node examples/apply-offers.mjs
//
// Each offer is applied once, though events come again, requests fail after they were carried out, and this process is killed at any
// moment. Of two offers to one subscription, the one that was accepted later stays, whichever event comes first.
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { RetentionFlow, verifyWebhook, WebhookVerificationError } from '@retention-flow/client';

const { RETENTION_FLOW_URL: baseUrl = 'http://127.0.0.1:3000', RETENTION_FLOW_API_KEY: apiKey } = process.env;
const { WEBHOOK_SECRET, BILLING_URL, BILLING_API_KEY, PORT = 4000 } = process.env;
if (!WEBHOOK_SECRET || !BILLING_URL) throw new Error('Set WEBHOOK_SECRET and BILLING_URL.');
/** Within the 15 s that an event waits for its answer. */
const ATTEMPTS = 6;

const rf = new RetentionFlow({ baseUrl, apiKey });

createServer((request, response) => {
  void receive(request)
    .then(() => 204)
    .catch(statusOf)
    .then((status) => response.writeHead(status).end());
}).listen(PORT);

async function receive(request) {
  const body = Buffer.concat(await request.toArray());
  const { type, data, test } = await verifyWebhook(body, request.headers, WEBHOOK_SECRET, { allowTest: true });
  if (test || type !== 'session.saved' || !data.accepted_offer) return;
  const { id, subscription, customer_verified, accepted_offer, updated_at } = await rf.sessions.get(data.session.id);
  // What your page says, anybody can say. Only a customer token (docs/signed-customers.md) says whose subscription it is.
  if (!customer_verified || !subscription?.id) return console.warn(`${id}: left to you`);
  const offer = {
    session: id,
    accepted_at: updated_at,
    terms: accepted_offer.terms,
    metadata: accepted_offer.metadata,
  };
  await apply(offer, `${BILLING_URL}/subscriptions/${encodeURIComponent(subscription.id)}`);
}

/**
 * The part to write for your billing system. The subscription remembers whose offer it has, and changes only if it is still as it was
 * read: so an offer that is in place is not applied again, and an earlier one never replaces a later one.
 */
async function apply(offer, url) {
  for (let failures = 0; ;) {
    try {
      const subscription = await request('GET', url);
      // Of a subscription that is not there, and of an offer that is refused, a person has to know. Sent again, it would be the same.
      if (subscription.status === 404) return console.error(`${offer.session}: left to you. There is no ${url}`);
      const current = subscription.body.offer;
      if (current && current.accepted_at >= offer.accepted_at) return console.log(`${offer.session}: done`);
      const { status } = await request('PUT', `${url}/offer`, offer, subscription.etag);
      if (status === 422) return console.error(`${offer.session}: left to you. The offer is refused.`);
    } catch (error) {
      if (++failures === ATTEMPTS) throw error;
      await pause(100 * 2 ** failures * (0.5 + Math.random() / 2));
    }
  }
}

/** 412 means that the subscription has changed since it was read. */
async function request(method, url, body, etag) {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${BILLING_API_KEY}`,
      ...(body && { 'content-type': 'application/json', 'if-match': etag }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  });
  const { ok, status, headers } = response;
  if (!ok && ![404, 412, 422].includes(status)) throw new Error(`${method} ${url}: ${status}`);
  return { status, etag: headers.get('etag'), body: await response.json().catch(() => ({})) };
}

function statusOf(error) {
  console.error(error.message);
  return error instanceof WebhookVerificationError ? 401 : 500; // 500: the service sends it again, for about three days
}
