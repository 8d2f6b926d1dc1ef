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
    expect(await found()).toEqual([
      'us-mn no_offer_before_leaving',
      'fr direct_page',
      'fr direct_button',
      'fr withdrawal_function',
      'fr receipt',
    ]);
  });

  it('goes by other rules if they are named', async () => {
    await acme.client.put('/api/v1/public/workspace', { jurisdictions: ['fr'] });
    expect(await found('?rules=us-mn')).toEqual(['us-mn no_offer_before_leaving']);
    expect((await acme.client.get(`${path}/review?rules=mars`)).status).toBe(400);
  });

  it('takes the button for the snippet until the flow says where it leads', async () => {
    const found = async () => (await acme.client.get(`${path}/review?rules=de`)).body.findings;
    const pointers = async (rule: string) =>
      (await found()).flatMap((one: Record<string, string>) => (one.rule === rule ? [one.pointer] : []));
    expect((await acme.client.get(path)).body.install).toBeNull();
    expect(await pointers('direct_button')).toEqual(['/install']);
    for (const [target, rule] of [
      ['widget', 'direct_button'],
      ['https://acme.example/leave', 'own_page'],
    ]) {
      const stored = { button_leads_to: target };
      expect((await acme.client.put(path, { install: stored })).status).toBe(200);
      expect((await acme.client.get(path)).body.install).toEqual(stored);
      expect(await pointers(rule)).toEqual(['/install/button_leads_to']);
    }
    await acme.client.put(path, { install: { button_leads_to: 'exit' } });
    expect((await found()).map(({ rule }: Record<string, string>) => rule)).not.toContain('direct_button');
    await acme.client.put(path, { install: null });
    expect(await pointers('direct_button')).toEqual(['/install']);
  });

  it.each([
    ['nowhere', '/install/button_leads_to'],
    ['javascript:alert(1)', '/install/button_leads_to'],
    [`https://acme.example/${'a'.repeat(2048)}`, '/install/button_leads_to'],
    [null, '/install/button_leads_to'],
    [undefined, '/install/button_leads_to'],
  ])('stores no button that leads to %s', async (button_leads_to, pointer) => {
    const { status, body } = await acme.client.put(path, { install: { button_leads_to } });
    expect([status, body.errors[0].pointer]).toEqual([400, pointer]);
  });

  it('goes by what the query says of the button, instead of what is stored', async () => {
    expect(await found('?rules=de&button=exit_page')).not.toContain('de direct_button');
    await acme.client.put(path, { install: { button_leads_to: 'exit' } });
    expect(await found('?rules=de&button=flow')).toContain('de direct_button');
    expect(await found('?rules=de&button=elsewhere')).toContain('de own_page');
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

  it('reads shame in points and answers, in English and German', async () => {
    const { id } = await acme.offer({ points: ['Nein, ich hasse es zu sparen'] });
    const options = [{ value: 'rich', label: 'I hate saving money' }];
    await acme.client.put(path, { offer_ids: [id], survey: { title: 'Why?', options } });
    const { body } = await acme.client.get(`${path}/review?rules=eu`);
    const shaming = body.findings.filter(({ rule }: Record<string, string>) => rule === 'no_shaming');
    expect(shaming.map(({ pointer }: Record<string, string>) => pointer)).toEqual([
      '/offer_ids/0',
      '/survey/options/0/label',
    ]);
  });
});
