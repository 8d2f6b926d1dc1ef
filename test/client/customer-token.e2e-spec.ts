import { ApiError, type CustomerSecret, RetentionFlow, signCustomerToken } from '@retention-flow/client';
import { serviceForAll } from '../support/service';

describe('signCustomerToken', () => {
  const service = serviceForAll();
  let rf: RetentionFlow;
  let key: CustomerSecret;
  let workspaceId: string;
  let slug: string;

  beforeAll(async () => {
    const acme = await service.workspace();
    rf = new RetentionFlow({ baseUrl: service.client.baseUrl, apiKey: acme.key });
    const created = await rf.customerKeys.create({ name: 'Account pages', algorithm: 'HS256' });
    key = { id: created.id, secret: created.secret! };
    workspaceId = (await rf.workspace.get()).id;
    ({ slug } = await acme.publishedFlow());
  });

  const start = (customer_token: string) => rf.runtime.start({ flow_slug: slug, customer_token });

  it('makes tokens that the service believes', async () => {
    const claims = { sub: 'cus_4711', email: 'ada@example.com', attributes: { plan: 'Größe 🎈', seats: 12 } };
    const { session_id } = await start(await signCustomerToken({ ...claims, flow: slug, workspaceId }, key));
    expect(await rf.sessions.get(session_id)).toMatchObject({
      customer_id: 'cus_4711',
      customer_verified: true,
      customer: { email: 'ada@example.com', attributes: { plan: 'Größe 🎈', seats: 12 } },
    });
  });

  it('needs no more than who the customer is', async () => {
    const { session_id } = await start(await signCustomerToken({ sub: 'cus_1', workspaceId, expiresIn: 60 }, key));
    expect(await rf.sessions.get(session_id)).toMatchObject({ customer_id: 'cus_1', customer_verified: true });
  });

  it.each([
    ['another workspace', { workspaceId: '01a2034d-7d6b-7c2e-9d11-5a6b7c8d9e0f' }, {}],
    ['another flow', { flow: 'another-flow' }, {}],
    ['another secret', {}, { secret: 'cksec_of_somebody_else' }],
  ])('makes none that are good for %s', async (_, claims, changes) => {
    const token = await signCustomerToken({ sub: 'cus_1', workspaceId, ...claims }, { ...key, ...changes });
    const error: unknown = await start(token).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 401,
      code: 'invalid_customer_token',
      cancellationUrl: 'https://acme.example/cancel',
    });
  });

  it.each([0, -1, 3601, NaN])(
    'refuses to make one for %s seconds, which the service would refuse',
    async (expiresIn) => {
      await expect(signCustomerToken({ sub: 'cus_1', workspaceId, expiresIn }, key)).rejects.toThrow(RangeError);
    },
  );
});
