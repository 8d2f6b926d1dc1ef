import { send } from './http';
import { ADMIN_API_KEY } from '../../support/environment';

/** A workspace with a published flow. */
export interface Tenant {
  id: string;
  key: string;
  slug: string;
  limit: number;
}

const FLOW = { name: 'Leaving Acme', product_name: 'Acme Pro', cancellation_url: 'https://acme.example/cancel' };

const SESSION_EVENTS = ['session.started', 'session.saved', 'session.canceled', 'session.abandoned'];

/**
 * Creates one workspace per limit.
 *
 * @param webhookUrl where what happens to sessions is sent
 */
export function createTenants(serviceUrl: string, limits: number[], webhookUrl?: string): Promise<Tenant[]> {
  return Promise.all(limits.map((limit) => createTenant(serviceUrl, limit, webhookUrl)));
}

async function createTenant(serviceUrl: string, limit: number, webhookUrl?: string): Promise<Tenant> {
  const call = async (method: string, path: string, key: string, fields: object) => {
    const { status, body } = await send(undefined, method, serviceUrl + path, fields, {
      authorization: `Bearer ${key}`,
    });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const workspace = { name: 'Acme', session_limit: limit };
  const { id, api_key } = await call('POST', '/api/v1/admin/workspaces', ADMIN_API_KEY, workspace);
  const flow = await call('POST', '/api/v1/public/flows', api_key.key, FLOW);
  await call('PUT', `/api/v1/public/flows/${flow.id}`, api_key.key, { status: 'published' });
  const webhook = { url: webhookUrl, event_types: SESSION_EVENTS };
  if (webhookUrl) await call('POST', '/api/v1/public/webhooks', api_key.key, webhook);
  return { id, key: api_key.key, slug: flow.slug, limit };
}
