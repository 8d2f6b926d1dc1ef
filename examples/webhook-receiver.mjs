// Applies accepted offers as apply-offers.mjs does, as soon as an event tells of them. It may run beside it.
//
//   WEBHOOK_SECRET=whsec_… node examples/webhook-receiver.mjs
import { createServer } from 'node:http';
import { verifyWebhook } from '@retention-flow/client';
import { applyCoupon } from './stripe.mjs';

createServer((request, response) => {
  const failed = (error) => console.error(error.message) ?? 500; // the service sends the event again, for three days
  void receive(request)
    .catch(failed)
    .then((status) => response.writeHead(status).end());
}).listen(process.env.PORT ?? 4000);

async function receive(request) {
  const body = Buffer.concat(await request.toArray());
  const event = await verifyWebhook(body, request.headers, process.env.WEBHOOK_SECRET).catch(() => null);
  if (!event) return 401;
  if (event.type === 'session.saved' && event.data.accepted_offer) await apply(event.data);
  return 204;
}

async function apply({ session: { id, customer }, accepted_offer: { metadata } }) {
  const subscriptionId = customer?.attributes?.stripe_subscription;
  if (!customer?.verified || !subscriptionId || !metadata.stripe_coupon) return console.warn(`${id}: left to you`);
  await applyCoupon(metadata.stripe_coupon, { subscriptionId, sessionId: id });
  console.log(`${id}: ${metadata.stripe_coupon} applied`);
}
