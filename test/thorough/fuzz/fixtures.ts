import { png } from '../../support/pictures';
import { ADMIN_API_KEY } from '../../support/environment';
import { API_KEY } from '../../billing/stripe-double';
import { claimsFor, secretKey, tokenOf } from '../../support/customer-token';
import { record } from '../../support/events';
import type { Service, Tenant } from '../../support/service';
import type { RawRequest } from './raw-http';

const WEBHOOKS = '/api/v1/public/webhooks';
const SESSIONS = '/api/v1/runtime/session';
const START = { node_key: 'start', action: 'continue' };
const REASON = { node_key: 'reason', action: 'answer', option: 'other', comment: 'None of these.' };
const DECLINE = { node_key: 'offer_1', action: 'decline' };
const ACCEPT = { node_key: 'offer_1', action: 'accept' };

/** Rows of a workspace and of a foreign one. Requests refer to them as `{{name}}`, so that a seed repeats a run. */
export interface Fixtures {
  workspaceId: string;
  values: Record<string, string>;
}

const EXIT = { enabled: true, kinds: ['termination', 'withdrawal'] };

/** A graph whose branch goes by an audience. */
const byAudience = (audience: string) => ({
  entry: 'start',
  nodes: [
    { key: 'start', type: 'start', config: { title: 'Before you go' }, next: 'who' },
    { key: 'who', type: 'branch', config: { ways: [{ when: { all: [{ audience }] }, next: 'sure' }] }, next: 'sure' },
    { key: 'sure', type: 'confirm', config: { title: 'Sure?' } },
  ],
});

/** @param settings of the workspace that requests are about */
export async function createFixtures(service: Service, settings: object = {}): Promise<Fixtures> {
  const [own, foreign] = await Promise.all([service.workspace(settings), service.workspace()]);

  const idOf = async (created: Promise<{ id: string }>) => (await created).id;
  const archived = async (collection: string, created: Promise<{ id: string }>): Promise<string> => {
    const id = await idOf(created);
    await own.client.delete(`/api/v1/public/${collection}/${id}`);
    return id;
  };
  const key = async ({ client }: Tenant, fields: object = {}): Promise<{ id: string; key: string }> =>
    (await client.post('/api/v1/public/api-keys', { name: 'Spare', ...fields })).body;
  const session = async (flow_slug: string, customer_id: string, ...steps: object[]): Promise<string> => {
    const start = { flow_slug, customer: { id: customer_id } };
    const { session_id } = (await service.client.post(`${SESSIONS}/init`, start)).body;
    for (const step of steps) await service.client.post(`${SESSIONS}/${session_id}/step`, step);
    return session_id;
  };

  const declaration = async ({ client }: Tenant, { slug }: { slug: string }): Promise<string> => {
    const declared = { kind: 'termination', name: 'Ada', email: 'ada@example.com', contract: 'Customer 4711' };
    await service.client.post(`/api/v1/runtime/exit/${slug}`, declared);
    return (await client.get('/api/v1/public/declarations')).body.declarations[0].id;
  };
  const foreignDeclaration = async (): Promise<string> => {
    const open = await foreign.flow({ exit: EXIT });
    return declaration(foreign, open);
  };
  const preview = async ({ id }: { id: string }): Promise<string> =>
    (await own.client.send('POST', `/api/v1/public/flows/${id}/preview`)).body.session_id;
  const webhook = async ({ client }: Tenant, fields: object = {}): Promise<string> =>
    (await client.post(WEBHOOKS, { url: 'https://acme.example/webhooks', ...fields })).body.id;
  const test = async ({ client }: Tenant, id: string): Promise<string> =>
    (await client.send('POST', `${WEBHOOKS}/${id}/test`)).body.event_id;

  const image = async ({ client }: Tenant, width: number): Promise<string> => {
    const file = { body: png(width, 3), headers: { 'content-type': 'image/png' } };
    return (await client.send('POST', '/api/v1/public/images', file)).body.id;
  };

  const audience = async ({ client }: Tenant): Promise<string> => {
    const when = { all: [{ fact: 'months', is: '>=', value: 12 }] };
    return (await client.post('/api/v1/public/audiences', { name: 'Loyal', when })).body.id;
  };
  const named = await audience(own);
  await own.flow({ flow_mode: 'advanced', definition: byAudience(named) });

  const offer = (await own.offer()).id;
  const [flow, draft, foreignFlow, revokedKey, readKey, ownWebhook, disabledWebhook, foreignWebhook] =
    await Promise.all([
      own.publishedFlow({ offer_ids: [offer], exit: EXIT }),
      own.flow(),
      foreign.publishedFlow(),
      key(own),
      key(own, { access: 'read' }),
      webhook(own),
      webhook(own),
      webhook(foreign),
    ]);
  await own.client.put(`/api/v1/public/flows/${flow.id}/draft`, { name: 'Leaving soon' });
  await own.client.put(`/api/v1/public/offers/${offer}/draft`, { heading: 'Stay' });
  await own.client.put(`${WEBHOOKS}/${disabledWebhook}`, { status: 'disabled' });
  await own.client.delete(`/api/v1/public/api-keys/${revokedKey.id}`);
  await own.client.put('/api/v1/public/billing/connection', { api_key: API_KEY, mode: 'live' });
  const ownSession = (...steps: object[]) => session(flow.slug, 'cus_4711', ...steps);
  const customerKey = await secretKey(own.client);
  const decided = await ownSession(START, REASON, ACCEPT);
  await service.database.query(
    `UPDATE fulfilments SET state = 'manual', next_attempt_at = NULL WHERE workspace_id = $1`,
    [own.id],
  );
  const values = await resolved({
    key: own.key,
    read_key: readKey.key,
    revoked_key: revokedKey.key,
    operator_key: ADMIN_API_KEY,
    spare_key_id: idOf(key(own)),
    revoked_key_id: revokedKey.id,
    foreign_key_id: idOf(key(foreign)),
    workspace: own.id,
    foreign_workspace: foreign.id,
    offer,
    other_offer: idOf(own.offer()),
    archived_offer: archived('offers', own.offer()),
    foreign_offer: idOf(foreign.offer()),
    image: image(own, 1),
    foreign_image: image(foreign, 2),
    audience: audience(own),
    named_audience: named,
    foreign_audience: audience(foreign),
    flow: flow.id,
    slug: flow.slug,
    draft: draft.id,
    draft_slug: draft.slug,
    advanced: idOf(own.publishedFlow({ flow_mode: 'advanced' })),
    archived: archived('flows', own.flow()),
    foreign_flow: foreignFlow.id,
    foreign_slug: foreignFlow.slug,
    at_start: ownSession(),
    at_survey: ownSession(START),
    at_offer: ownSession(START, REASON),
    at_confirm: ownSession(START, REASON, DECLINE),
    decided,
    ended: ownSession(START, REASON, ACCEPT),
    preview: preview(draft),
    webhook: ownWebhook,
    other_webhook: webhook(own, { event_types: ['session.started'] }),
    disabled_webhook: disabledWebhook,
    foreign_webhook: foreignWebhook,
    event: test(own, ownWebhook),
    other_event: record(service, own, { at: `now() - interval '1 hour'` }),
    foreign_event: test(foreign, foreignWebhook),
    declaration: declaration(own, flow),
    foreign_declaration: foreignDeclaration(),
    customer_key: idOf(secretKey(own.client)),
    foreign_customer_key: idOf(secretKey(foreign.client)),
    customer_token: tokenOf(customerKey, {}, claimsFor(own)),
    foreign_session: session(foreignFlow.slug, 'foreign_customer'),
  });
  // A cursor is an id, so that of a session is valid in every list.
  values.cursor = (await own.client.get('/api/v1/public/sessions?limit=1')).body.next_cursor;
  return { workspaceId: own.id, values };
}

async function resolved(values: Record<string, string | Promise<string>>): Promise<Record<string, string>> {
  const entries = Object.entries(values).map(async ([name, value]) => [name, await value] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** The request with every `{{name}}` replaced. */
export function withFixtures<T extends RawRequest>(request: T, { values }: Fixtures): T {
  const fill = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name]);
  const { path, query, headers, body } = request;
  return {
    ...request,
    path: fill(path),
    query: query.map(fill),
    headers: headers.map(([name, value]) => [name, fill(value)]),
    ...(body !== undefined && { body: fill(body) }),
  };
}
