import { Service } from '../../support/service';

describe('The warning about a forwarded header', () => {
  let service: Service;

  afterEach(() => service.stop());

  const warnings = () => service.log.filter((line) => line.includes('ignored'));
  async function sendTo(TRUST_PROXY: string, headers: Record<string, string>) {
    service = await Service.start({ TRUST_PROXY, LOG_LEVEL: 'warn' });
    for (let n = 0; n < 2; n++) expect((await service.client.get('/livez', headers)).status).toBe(200);
  }

  it.each([
    ['a client on its own host', '127.0.0.1'],
    ['a client elsewhere', '203.0.113.7'],
    ['nobody', ''],
  ])('does not come when a trusted proxy forwards for %s', async (_, address) => {
    await sendTo('127.0.0.1', { 'x-forwarded-for': address });
    expect(warnings()).toEqual([]);
  });

  it('comes once for an address that is not in TRUST_PROXY, and names it', async () => {
    await sendTo('192.0.2.1', { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7' });
    expect(warnings()).toEqual([expect.stringMatching(/"address":"127.0.0.1".*not in TRUST_PROXY/)]);
  });

  it('comes once when a trusted proxy sends only Forwarded, which is not read', async () => {
    await sendTo('127.0.0.1', { forwarded: 'for=203.0.113.7' });
    expect(warnings()).toEqual([expect.stringContaining('only X-Forwarded-For is read')]);
  });
});
