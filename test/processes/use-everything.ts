import { ADMIN_API_KEY } from '../support/environment';
import type { Receiver } from '../support/receiver';
import { PASSWORD, tokenIn } from '../support/service';

const SESSION = '/api/v1/runtime/session';

/**
 * Uses a service as its customers and their companies do: writes to every table that a request writes to, and reads it
 * again.
 */
export async function useEverything(address: string, receiver: Receiver): Promise<void> {
  const call = async (method: string, path: string, key?: string, body?: object) => {
    const response = await fetch(address + path, {
      method,
      headers: { ...(key && { authorization: `Bearer ${key}` }), ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
  const workspace = await call('POST', '/api/v1/admin/workspaces', ADMIN_API_KEY, { name: 'Acme' });
  const manage = (method: string, path: string, body?: object) =>
    call(method, `/api/v1/public/${path}`, workspace.api_key.key, body);

  const invitation = { email: `${workspace.id}@acme.example`, role: 'owner' };
  const invite = `/api/v1/admin/workspaces/${workspace.id}/invitations`;
  const { link } = await call('POST', invite, ADMIN_API_KEY, invitation);
  const acceptance = { token: tokenIn(link as string), name: 'Ada', password: PASSWORD };
  await call('POST', '/api/v1/auth/invitation/accept', undefined, acceptance);

  const webhook = await manage('POST', 'webhooks', {
    url: receiver.url,
    event_types: ['session.started', 'session.saved'],
  });
  await manage('POST', 'api-keys', { name: 'Reader', access: 'read' });
  await manage('POST', 'customer-keys', { name: 'Backend', algorithm: 'HS256' });
  const offer = await manage('POST', 'offers', { name: 'Half price', offer_type: 'discount_percentage' });
  await manage('PUT', `offers/${offer.id}`, { name: 'Half the price' });
  const flow = await manage('POST', 'flows', {
    name: 'Leaving Acme',
    product_name: 'Acme Pro',
    cancellation_url: 'https://acme.example/cancel',
    offer_ids: [offer.id],
  });
  await manage('PUT', `flows/${flow.id}`, { status: 'published' });
  await manage('PUT', `flows/${flow.id}`, { product_name: 'Acme Max' });

  await manage('PUT', `flows/${flow.id}/draft`, { product_name: 'Acme Pro Max' });
  await manage('POST', `flows/${flow.id}/draft/publish`, { note: 'The new name.' });
  await manage('PUT', `flows/${flow.id}/draft`, { product_name: 'Acme Ultra' });

  const received = receiver.received.length;
  const start = { flow_slug: flow.slug, customer: { id: 'cus_4711' } };
  for (const last of ['accept', 'cancel']) {
    const { session_id } = await call('POST', `${SESSION}/init`, undefined, start);
    for (const step of [
      { node_key: 'start', action: 'continue' },
      { node_key: 'reason', action: 'answer', option: 'too_expensive', comment: 'Too much for us.' },
      { node_key: 'offer_1', action: last },
    ])
      await call('POST', `${SESSION}/${session_id}/step`, undefined, step);
  }
  // Two starts and the one that was saved.
  await receiver.untilReceived(received + 3);

  const { sessions } = await manage('GET', 'sessions');
  if (sessions.length !== 2) throw new Error(`Two sessions began, not ${sessions.length}`);
  for (const path of ['workspace', 'events', 'comments', 'changes', 'me', `flows/${flow.id}/stats`])
    await manage('GET', path);
  await manage('DELETE', 'customers/cus_4711');
  await manage('DELETE', `webhooks/${webhook.id}`);
}
