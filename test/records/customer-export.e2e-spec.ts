import { claimsFor, CUSTOMER_KEYS, tokenOf } from '../support/customer-token';
import { record } from '../support/events';
import { serviceForAll, type Tenant, workspaceForEach } from '../support/service';

const INIT = '/api/v1/runtime/session/init';
const PUBLIC = '/api/v1/public';

describe('Everything about a customer', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);
  let flow: { id: string; slug: string };

  beforeEach(async () => {
    flow = await acme.publishedFlow();
  });

  const exported = async (id: string, of: Tenant = acme) =>
    of.client.get(`${PUBLIC}/customers/${encodeURIComponent(id)}/export`);
  const start = (fields: object) => service.client.post(INIT, { flow_slug: flow.slug, ...fields });

  it('is each session with its steps and comments, and each outcome, of this customer alone', async () => {
    const customer = { id: 'cus_1', email: 'ada@example.com', attributes: { plan: 'pro' } };
    for (let n = 0; n < 12; n++) {
      const { session_id } = (await start({ customer })).body;
      const step = (fields: object) => service.client.post(`/api/v1/runtime/session/${session_id}/step`, fields);
      await step({ node_key: 'start', action: 'continue' });
      await step({ node_key: 'reason', action: 'answer', option: 'other', comment: `Number ${n}` });
    }
    await start({ customer: { id: 'cus_2', email: 'bob@example.com' } });
    const outcome = { type: 'paid', at: '2026-11-21T09:30:00.000Z', amount: 4990, currency: 'EUR' };
    await acme.client.post(`${PUBLIC}/outcomes`, { ...outcome, id: 'in_1', customer_id: 'cus_1' });
    await acme.client.post(`${PUBLIC}/outcomes`, { ...outcome, id: 'in_2', customer_id: 'cus_2' });
    const [{ id }] = (await exported('cus_1')).body.sessions;
    const event = await record(service, acme, { type: 'session.started', flow_session_id: id });
    const { status, headers, body } = await exported('cus_1');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(headers.get('content-disposition')).toBe('attachment; filename="customer.json"');
    expect(body).toMatchObject({ customer_id: 'cus_1', outcomes: [{ ...outcome, id: 'in_1' }], declarations: [] });
    const comments = body.sessions.map(({ steps }: { steps: { comment: string }[] }) => steps[1].comment);
    expect(comments).toEqual(Array.from({ length: 12 }, (_, n) => `Number ${11 - n}`));
    expect(body.sessions[0]).toMatchObject({
      customer: { email: 'ada@example.com' },
      events: [{ id: event, type: 'session.started', created_at: expect.any(String) }],
    });
    expect(JSON.stringify(body)).not.toContain('bob@');
  });

  it('is empty for one of whom nothing is stored, or no more', async () => {
    const nothing = (id: string) => ({ customer_id: id, sessions: [], outcomes: [], declarations: [] });
    expect((await exported('no/body?')).body).toEqual(nothing('no/body?'));
    await start({ customer: { id: 'cus_1', email: 'ada@example.com' } });
    await acme.client.delete(`${PUBLIC}/customers/cus_1`);
    expect((await exported('cus_1')).body).toEqual(nothing('cus_1'));
    const other = await service.workspace();
    await start({ customer: { id: 'cus_3' } });
    expect((await exported('cus_3', other)).body).toEqual(nothing('cus_3'));
  });

  it('has the declarations of an e-mail address that a token named, and of none that a page claimed', async () => {
    await acme.client.put(`${PUBLIC}/flows/${flow.id}`, { exit: { enabled: true } });
    const declared = { kind: 'termination', name: 'Ada', email: 'Ada@Example.com', contract: '4711' };
    const { status } = await service.client.post(`/api/v1/runtime/exit/${flow.slug}`, declared);
    expect(status).toBe(201);
    const { id, secret } = (await acme.client.post(CUSTOMER_KEYS, { name: 'Pages', algorithm: 'HS256' })).body;
    const claims = claimsFor(acme, { sub: 'cus_1', email: 'ada@example.com', customer_id: 'cus_billing' });
    await start({ customer_token: tokenOf({ id, algorithm: 'HS256', key: secret }, {}, claims) });
    await start({ customer: { id: 'cus_2', email: 'ada@example.com' } });
    const signed = (await exported('cus_1')).body;
    expect(signed.declarations).toMatchObject([{ name: 'Ada', contract: '4711' }]);
    expect(signed.sessions[0].billing_customer_id).toBe('cus_billing');
    expect((await exported('cus_2')).body).toMatchObject({ sessions: [{ customer_id: 'cus_2' }], declarations: [] });
  });
});
