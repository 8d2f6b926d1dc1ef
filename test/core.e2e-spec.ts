import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { createAdapter, open, optionsOf } from '../src/app/app';
import { CoreModule } from '../src/app/core.module';
import { Config } from '../src/settings/config';
import { Client } from './support/client';
import { workerDatabaseUrl } from './support/database';
import { ADMIN_API_KEY, WITHOUT_LIMITS } from './support/environment';

const INIT = '/api/v1/runtime/session/init';
const FLOWS = '/api/v1/public/flows';
const OFFERS = '/api/v1/public/offers';
const FLOW = {
  name: 'Leaving Acme',
  product_name: 'Acme Pro',
  cancellation_url: 'https://acme.example/cancel',
  flow_mode: 'simple',
  description: 'For all who leave',
  estimated_monthly_value: 49.5,
  notification_email: 'team@acme.example',
};
const OFFER = {
  name: 'Half price',
  offer_type: 'discount_percentage',
  offer_value: '50 %',
  offer_duration: '3 months',
  heading: 'Stay for half the price',
  body: 'For three months.',
  cta_accept: 'Stay',
  cta_decline: 'No thanks',
};

/** Workspaces, offers, flows and sessions, without people, pages of exit, billing, events, records and statistics. */
describe('The core alone', () => {
  let app: NestFastifyApplication;
  let client: Client;
  let acme: Client;

  beforeAll(async () => {
    const config = Config.fromEnv({
      DATABASE_URL: workerDatabaseUrl(),
      ADMIN_API_KEY,
      LOG_LEVEL: 'fatal',
      BACKGROUND_JOBS: 'false',
      ...WITHOUT_LIMITS,
    });
    const adapter = createAdapter(config);
    const module = await Test.createTestingModule({ imports: [CoreModule.with(config)] }).compile();
    app = module.createNestApplication<NestFastifyApplication>(adapter, optionsOf(adapter));
    await open(app, config);
    await app.listen(0, '127.0.0.1');
    client = new Client(await app.getUrl());
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    const workspace = { name: 'Acme', session_limit: 2 };
    const { body } = await client.with(ADMIN_API_KEY).post('/api/v1/admin/workspaces', workspace);
    acme = client.with(body.api_key.key);
  });

  it('creates, lists, shows, changes and archives flows', async () => {
    const created = await acme.post(FLOWS, FLOW);
    const { id, slug } = created.body;
    expect(created).toMatchObject({
      status: 201,
      body: { name: FLOW.name, slug: expect.stringMatching(/^leaving-acme-/) },
    });
    expect((await acme.get(FLOWS)).body.flows).toMatchObject([{ id, slug, current_version: 1 }]);
    expect((await acme.get(`${FLOWS}/${id}`)).body).toMatchObject({ ...FLOW, id });
    expect((await acme.put(`${FLOWS}/${id}`, { status: 'published' })).body).toMatchObject({ updated: true, id });
    expect((await acme.delete(`${FLOWS}/${id}`)).body).toEqual({ archived: true, id });
  });

  it('creates, lists, changes and archives offers', async () => {
    const created = await acme.post(OFFERS, OFFER);
    const { id } = created.body;
    expect(created).toMatchObject({ status: 201, body: { id, name: OFFER.name } });
    expect((await acme.put(`${OFFERS}/${id}`, { heading: 'Stay' })).body).toMatchObject({ updated: true, id });
    const { body, ...listed } = OFFER;
    expect(body).toBe('For three months.');
    expect((await acme.get(OFFERS)).body.offers).toMatchObject([{ ...listed, id, heading: 'Stay' }]);
    expect((await acme.delete(`${OFFERS}/${id}`)).body).toEqual({ archived: true, id });
  });

  it('starts sessions of a published flow, counts them, and refuses what is over the limit', async () => {
    const { id, slug: flow_slug } = (await acme.post(FLOWS, FLOW)).body;
    expect((await client.post(INIT, { flow_slug })).status).toBe(404);
    await acme.put(`${FLOWS}/${id}`, { status: 'published' });
    const started = await client.post(INIT, { flow_slug });
    expect(started).toMatchObject({
      status: 201,
      body: { flow: { name: FLOW.name, entry_node: { key: 'start', type: 'start' } } },
    });
    await client.post(INIT, { flow_slug });
    expect(await client.post(INIT, { flow_slug })).toMatchObject({
      status: 403,
      body: { code: 'session_limit_reached' },
    });
    expect((await acme.get('/api/v1/public/workspace')).body.usage.sessions_used).toBe(2);
    expect((await client.post(INIT, { flow_slug: 7 })).status).toBe(400);
  });

  it('walks a session through its flow to its end', async () => {
    const offer = (await acme.post(OFFERS, OFFER)).body;
    const { id, slug: flow_slug } = (await acme.post(FLOWS, { ...FLOW, offer_ids: [offer.id] })).body;
    await acme.put(`${FLOWS}/${id}`, { status: 'published' });
    const { session_id } = (await client.post(INIT, { flow_slug })).body;
    const step = async (node_key: string, choice: object) =>
      (await client.post(`/api/v1/runtime/session/${session_id}/step`, { node_key, ...choice })).body;
    expect((await step('start', { action: 'continue' })).node.type).toBe('survey');
    const { node } = await step('reason', { action: 'answer', option: 'too_expensive' });
    expect(node).toMatchObject({ type: 'offer', config: { heading: OFFER.heading } });
    expect(await step(node.key, { action: 'accept' })).toMatchObject({ status: 'saved' });
  });

  it('asks for a key, and shows nothing of another workspace', async () => {
    const { id } = (await acme.post(FLOWS, FLOW)).body;
    expect((await client.get(FLOWS)).status).toBe(401);
    const { body } = await client.with(ADMIN_API_KEY).post('/api/v1/admin/workspaces', { name: 'Other' });
    expect((await client.with(body.api_key.key).get(`${FLOWS}/${id}`)).status).toBe(404);
  });

  it('has no routes of what stands around it', async () => {
    const around = ['people', 'billing/connection', 'webhooks', 'sessions', 'stats', 'config'];
    const url = await app.getUrl();
    const answers = await Promise.all(around.map((name) => fetch(`${url}/api/v1/public/${name}`)));
    expect(answers.map(({ status }) => status)).toEqual(around.map(() => 404));
  });
});
