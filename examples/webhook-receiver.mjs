// Applies accepted offers as apply-offers.mjs does, as soon as an event tells of them. It may run beside it.
//
//   WEBHOOK_SECRET=whsec_… node examples/webhook-receiver.mjs
import { createServer } from 'node:http';
import { verifyWebhook, WebhookVerificationError } from '@retention-flow/client';
import { applyCoupon } from './stripe.mjs';

const { WEBHOOK_SECRET, PORT = 4000 } = process.env;
if (!WEBHOOK_SECRET) throw new Error('Set WEBHOOK_SECRET to the secret of the webhook: whsec_…');

createServer((request, response) => {
  void receive(request)
    .catch(statusOf)
    .then((status) => response.writeHead(status).end());
}).listen(PORT);

async function receive(request) {
  const body = Buffer.concat(await request.toArray());
  const { type, data } = await verifyWebhook(body, request.headers, WEBHOOK_SECRET);
  if (type === 'session.saved' && data.accepted_offer) await apply(data);
  return 204;
}

function statusOf(error) {
  console.error(error.message);
  return error instanceof WebhookVerificationError ? 401 : 500; // 500: the service sends it again, for about three days
}

async function apply({ session: { id, customer }, accepted_offer: { metadata } }) {
  const subscriptionId = customer?.attributes?.stripe_subscription;
  if (!customer?.verified || !subscriptionId || !metadata.stripe_coupon) return console.warn(`${id}: left to you`);
  await applyCoupon(metadata.stripe_coupon, { subscriptionId, sessionId: id });
  console.log(`${id}: ${metadata.stripe_coupon} applied`);
}
