// Applies accepted offers as apply-offers.mjs does, as soon as an event tells of them. It may run beside it.
//
//   WEBHOOK_SECRET=whsec_… node examples/webhook-receiver.mjs
import { createServer } from 'node:http';
import { verifyWebhook, WebhookVerificationError } from '@retention-flow/client';
import { applyOffer } from './stripe.mjs';

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
  const { session, accepted_offer } = data;
  if (type === 'session.saved' && accepted_offer) {
    await applyOffer({
      session: session.id,
      acceptedAt: session.ended_at,
      isSigned: session.customer?.verified,
      attributes: session.customer?.attributes,
      metadata: accepted_offer.metadata,
    });
  }
  return 204;
}

function statusOf(error) {
  console.error(error.message);
  return error instanceof WebhookVerificationError ? 401 : 500; // 500: the service sends it again, for about three days
}
