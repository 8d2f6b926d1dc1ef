import { Service, type Tenant } from '../support/service';

describe('The review of a flow', () => {
  let service: Service;
  let acme: Tenant;
  let path: string;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
    const { id: offer } = await acme.offer({ cta_decline: 'No, thanks' });
    path = `/api/v1/public/flows/${(await acme.flow({ offer_ids: [offer] })).id}`;
  });

  const found = async (query = '') =>
    (await acme.client.get(`${path}/review${query}`)).body.findings.map(
      ({ jurisdiction, rule }: Record<string, string>) => `${jurisdiction} ${rule}`,
    );

  it('goes by the jurisdictions of the workspace: by none until they are chosen', async () => {
    expect((await acme.client.get('/api/v1/public/workspace')).body.jurisdictions).toEqual([]);
    expect(await found()).toEqual([]);
    await acme.client.put('/api/v1/public/workspace', { jurisdictions: ['us-mn', 'fr'] });
    expect(await found()).toEqual(['us-mn no_offer_before_leaving', 'fr direct_page', 'fr receipt']);
  });

  it('goes by other rules if they are named', async () => {
    await acme.client.put('/api/v1/public/workspace', { jurisdictions: ['fr'] });
    expect(await found('?rules=us-mn')).toEqual(['us-mn no_offer_before_leaving']);
    expect((await acme.client.get(`${path}/review?rules=mars`)).status).toBe(400);
  });

  it('looks at the button of a page, if it is told of it', async () => {
    expect(await found('?rules=de&button=exit_page')).not.toContain('de direct_button');
    expect(await found('?rules=de&button=flow')).toContain('de direct_button');
    expect(await found('?rules=in&cancel_label=I+hate+to+save')).toContain('in no_shaming_of_page');
    for (const wrong of ['button=nowhere', 'cancel_label='])
      expect((await acme.client.get(`${path}/review?rules=de&${wrong}`)).status).toBe(400);
  });

  it('reads the translations of the offers', async () => {
    const { id } = await acme.offer({
      cta_decline: 'No, thanks',
      translations: { de: { cta_decline: 'Vielleicht später' } },
    });
    await acme.client.put(path, { offer_ids: [id] });
    expect(await found('?rules=in')).toEqual(['in no_shaming']);
  });
});
