import { Logger } from '@nestjs/common';
import { FlowsService } from '../../../src/flows/flows.service';
import { theServiceIn } from '../../../src/tenancy/work/tenant';
import { claimsFor, secretKey, tokenOf } from '../../support/customer-token';
import { Service, serviceForAll, type Tenant } from '../../support/service';

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
const INIT = '/api/v1/runtime/session/init';
const CUSTOMER = { id: 'cus_log_4711', email: 'ada@log.example', attributes: { plan: 'secret-plan' } };

describe('The request log', () => {
  const service = serviceForAll(() => Service.start({ LOG_LEVEL: 'info' }));
  let acme: Tenant;

  beforeAll(async () => {
    acme = await service.workspace();
  });

  /**
   * The lines of the requests with these ids. A line is written after its response was sent, so this waits for them.
   */
  async function linesOf(...ids: string[]): Promise<Record<string, unknown>[]> {
    for (;;) {
      const lines = service.log.map((line) => JSON.parse(line) as Record<string, unknown>);
      const found = ids.map((id) => lines.filter(({ request_id, msg }) => request_id === id && msg === 'request'));
      if (found.every(({ length }) => length > 0)) return found.flat();
      await new Promise(setImmediate);
    }
  }

  it('has one line for each request: its id, route, status, time, workspace and the id of its key', async () => {
    const api_key_id = (await acme.client.get('/api/v1/public/api-keys')).body.api_keys[0].id;
    const { slug: flow_slug } = await acme.publishedFlow();
    const named = (id: string) => ({ 'request-id': id });
    const { body } = await service.client.post(INIT, { flow_slug }, named('start'));
    await service.client.get(`/api/v1/runtime/session/${body.session_id}`, named('read'));
    const step = { node_key: 'start', action: 'continue' };
    await service.client.post(`/api/v1/runtime/session/${body.session_id}/step`, step, named('step'));
    await acme.client.get('/api/v1/public/flows?limit=5', named('list'));
    await service.client.get('/api/v1/public/flows', named('no-key'));
    const line = (request_id: string, method: string, route: string, status: number, more: object) => ({
      level: 30,
      time: expect.any(Number),
      request_id,
      method,
      route,
      status,
      ms: expect.any(Number),
      ...more,
      msg: 'request',
    });
    expect(await linesOf('start', 'read', 'step', 'list', 'no-key')).toEqual([
      line('start', 'POST', INIT, 201, { workspace: acme.id }),
      line('read', 'GET', '/api/v1/runtime/session/:id', 200, { workspace: acme.id }),
      line('step', 'POST', '/api/v1/runtime/session/:id/step', 200, { workspace: acme.id }),
      line('list', 'GET', '/api/v1/public/flows', 200, { workspace: acme.id, api_key_id }),
      line('no-key', 'GET', '/api/v1/public/flows', 401, { code: 'unauthorized' }),
    ]);
  });

  it('says what was wrong with a refused request: the code and the first field', async () => {
    const offers = '/api/v1/public/offers';
    await acme.client.post(offers, { name: 7, colour: 'red' }, { 'request-id': 'two-fields' });
    await acme.client.get(`${offers}?limit=0`, { 'request-id': 'query' });
    await acme.client.get(`${offers}?${'x'.repeat(300)}=1`, { 'request-id': 'long' });
    await acme.client.send('PATCH', offers, { headers: { 'request-id': 'patch' } });
    await service.client.send('POST', INIT, { headers: { 'request-id': 'broken' }, body: '{' });
    const lines = await linesOf('two-fields', 'query', 'long', 'patch', 'broken');
    expect(lines.map(({ status, code, pointer }) => [status, code, pointer])).toEqual([
      [400, 'invalid_request', '/colour'],
      [400, 'invalid_request', 'limit'],
      [400, 'invalid_request', expect.stringMatching(/^x{200}$/)],
      [405, 'method_not_allowed', undefined],
      [415, 'unsupported_media_type', undefined],
    ]);
  });

  it('says why a customer token was refused, also where the response does not', async () => {
    const { slug: flow_slug } = await acme.publishedFlow();
    const key = await secretKey(acme.client);
    const tokens = {
      expired: tokenOf(key, {}, claimsFor(acme, { iat: 1_700_000_000, exp: 1_700_000_600 })),
      wrong_signature: tokenOf({ ...key, key: 'another' }, {}, claimsFor(acme)),
      malformed: 'token',
    };
    for (const [reason, customer_token] of Object.entries(tokens)) {
      const { body } = await service.client.post(INIT, { flow_slug, customer_token }, { 'request-id': reason });
      expect(body.reason).toBe(reason === 'expired' ? 'expired' : undefined);
    }
    const lines = await linesOf(...Object.keys(tokens));
    expect(lines.map(({ code, reason }) => [code, reason])).toEqual(
      Object.keys(tokens).map((reason) => ['invalid_customer_token', reason]),
    );
  });

  it('names the claims of a customer token that were left out, without their values', async () => {
    const { slug: flow_slug } = await acme.publishedFlow();
    const customer_token = tokenOf(
      await secretKey(acme.client),
      {},
      claimsFor(acme, { email: 'ada@secret', customer_id: 4711 }),
    );
    await service.client.post(INIT, { flow_slug, customer_token }, { 'request-id': 'left-out' });
    expect(await linesOf('left-out')).toMatchObject([{ status: 201, unread: ['/customer_id', '/email'] }]);
    expect(service.log.filter((line) => line.includes('ada@secret'))).toEqual([]);
  });

  it('holds no key, session id, customer data or body', async () => {
    const { slug: flow_slug } = await acme.publishedFlow();
    const idempotency = 'log-idempotency-key-0123456789';
    const { body } = await service.client.post(
      INIT,
      { flow_slug, customer: CUSTOMER },
      { 'idempotency-key': idempotency },
    );
    const session = `/api/v1/runtime/session/${body.session_id}`;
    await service.client.post(`${session}/step`, { node_key: 'start', action: 'continue' });
    await service.client.post(`${session}/step`, {
      node_key: 'reason',
      action: 'answer',
      option: 'other',
      comment: 'a secret comment',
    });
    await service.client.post(`${session}/step`, { node_key: 'nowhere', action: 'secret-action' });
    await acme.client.get(`/api/v1/public/sessions?customer_id=${CUSTOMER.id}`);
    const issued = await acme.client.post('/api/v1/public/api-keys', { name: 'secret-name' });
    await service.client.with('rf_live_secret').get('/api/v1/public/flows');
    await acme.client.delete(`/api/v1/public/customers/${CUSTOMER.id}`, { 'request-id': 'last' });
    await linesOf('last');
    const secrets = [body.session_id, acme.key, issued.body.key, idempotency, CUSTOMER.id, CUSTOMER.email, 'secret'];
    for (const secret of secrets) expect(service.log.filter((line) => line.includes(secret))).toEqual([]);
  });

  it('says why a request got a 503, without its session', async () => {
    const { slug: flow_slug } = await acme.publishedFlow();
    const { body } = await service.client.post(INIT, { flow_slug, customer: CUSTOMER });
    const blocker = service.database.createQueryRunner();
    await blocker.startTransaction();
    await blocker.query('SELECT FROM flow_sessions WHERE session_id = $1 FOR UPDATE', [body.session_id]);
    const response = await service.client.post(
      `/api/v1/runtime/session/${body.session_id}/step`,
      { node_key: 'start', action: 'continue' },
      { 'request-id': 'blocked' },
    );
    await blocker.rollbackTransaction();
    await blocker.release();
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    await linesOf('blocked');
    const refusals = service.log.filter((line) => line.includes('blocked') && line.includes('turned away'));
    expect(refusals.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ err: expect.objectContaining({ code: '55P03', stack: expect.any(String) }) }),
    ]);
    expect(refusals.filter((line) => UUID.test(line) && line.includes(body.session_id))).toEqual([]);
  });

  it('has what Nest and the services log, in the same format', () => {
    const logger = new Logger('Somebody');
    logger.warn('careful');
    logger.error(new Error('broken'));
    logger.log('by the way');
    const lines = service.log.map((line) => JSON.parse(line) as object);
    const time = expect.any(Number);
    expect(lines).toContainEqual({ level: 40, time, details: ['Somebody'], msg: 'careful' });
    const err = { type: 'Error', message: 'broken', stack: expect.any(String) };
    expect(lines).toContainEqual({ level: 50, time, err, msg: 'broken' });
    expect(service.log.filter((line) => line.includes('by the way'))).toEqual([]);
  });

  it('does not name the path of a request that finishes after its deadline', async () => {
    const { id } = await acme.flow();
    const flows = service.app.get(FlowsService);
    const flow = await flows.get(theServiceIn(acme.id), id);
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const get = jest.spyOn(flows, 'get').mockReturnValue(finished.then(() => flow));
    const response = await acme.client.get(`/api/v1/public/flows/${id}`, { 'request-id': 'given-up' });
    expect(response.status).toBe(503);
    finish();
    get.mockRestore();
    await linesOf('given-up');
    await service.client.get('/livez', { 'request-id': 'later' });
    await linesOf('later');
    expect(service.log.filter((line) => line.includes(id))).toEqual([]);
  });

  it('has no line that a request forged', async () => {
    const before = service.log.length;
    const forged = '{"level":60,"msg":"all is lost"}';
    await service.client.get(`/${encodeURIComponent(`\n${forged}\n`)}`, { 'request-id': 'forger' });
    await service.client.get('/api/v1/public/flows?x=%0A%7B%22level%22%3A60', { 'user-agent': forged });
    await service.client.send('POST', INIT, { headers: { 'content-type': 'application/json' }, body: `${forged}\n` });
    await service.client.get('/docs', { 'request-id': 'end' });
    await linesOf('forger', 'end');
    const lines = service.log.slice(before);
    expect(lines.filter((line) => line.trim().includes('\n') || line.includes('all is lost'))).toEqual([]);
    expect(lines.map((line) => (JSON.parse(line) as { level: number }).level)).toEqual(lines.map(() => 30));
  });
});
