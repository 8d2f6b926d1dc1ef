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
    for (const path of ['/docs', '/api/v1/public/flows', '/nothing', '/%zz']) {
      const { headers } = await acme.client.get(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'/);
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe-inline|unsafe-eval|\*|http/);
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
