import type { Client } from './support/client';
import { Service, Tenant } from './support/service';

describe('Headers', () => {
  let service: Service;
  let acme: Tenant;

  beforeAll(async () => {
    service = await Service.start();
    acme = await service.workspace();
  });
  afterAll(() => service.stop());

  it('let a browser do nothing with an answer but show it to who asked', async () => {
    for (const path of ['/docs', '/api/v1/public/flows', '/nothing', '/%zz', '/*livez']) {
      const { headers } = await acme.client.get(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'/);
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe-inline|unsafe-eval|\*|http/);
    }
  });

  it('tell where to read what was created', async () => {
    const { slug: flow_slug } = await acme.publishedFlow();
    const flow = { name: 'Leaving', product_name: 'Pro', cancellation_url: 'https://acme.example/cancel' };
    const creations: [client: Client, path: string, body: object][] = [
      [acme.client, '/api/v1/public/offers', { name: 'Half price', offer_type: 'custom' }],
      [acme.client, '/api/v1/public/flows', flow],
      [service.client, '/api/v1/runtime/session/init', { flow_slug }],
      [service.operator, '/api/v1/admin/workspaces', { name: 'Other' }],
    ];
    for (const [client, path, body] of creations) {
      const created = await client.post(path, body);
      const { status, body: read } = await client.get(created.headers.get('location')!);
      expect([path, status, read.id ?? read.session_id]).toEqual([
        path,
        200,
        created.body.id ?? created.body.session_id,
      ]);
    }
  });

  it('tell where to revoke an API key that was issued, also by the operator', async () => {
    const issued = [
      await acme.client.post('/api/v1/public/api-keys', { name: 'Spare' }),
      await service.operator.post(`/api/v1/admin/workspaces/${acme.id}/api-keys`, { name: 'Spare' }),
    ];
    for (const { headers, body } of issued) {
      const revoked = await acme.client.delete(headers.get('location')!);
      expect([revoked.status, revoked.body]).toEqual([200, { revoked: true, id: body.id }]);
    }
  });

  it('let nothing of the interface be stored on its way: secrets, sessions, what a key may see', async () => {
    const { slug: flow_slug } = await acme.publishedFlow();
    const started = await service.client.post('/api/v1/runtime/session/init', { flow_slug });
    const answers = [
      started,
      await service.client.get(`/api/v1/runtime/session/${started.body.session_id}`),
      await acme.client.get(`/api/v1/public/sessions/${started.body.session_id}`),
      await acme.client.post('/api/v1/public/api-keys', { name: 'Spare' }),
      await service.operator.post('/api/v1/admin/workspaces', { name: 'Acme' }),
      await service.client.get('/api/v1/public/flows'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 201, 201, 401]);
    for (const { headers } of answers) expect(headers.get('cache-control')).toBe('no-store');
  });
});
