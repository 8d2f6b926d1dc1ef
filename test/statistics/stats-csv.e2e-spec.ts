import { serviceForAll, workspaceForEach } from '../support/service';
import { accept, because, cancel, go, keep, type Step, walk } from './walk';

const PUBLIC = '/api/v1/public';

describe('Statistics as CSV', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  /** The lines by their columns, without what is empty. */
  async function read(path: string): Promise<Record<string, string>[]> {
    const { status, headers, body } = await acme.client.get(`${PUBLIC}${path}`);
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe('attachment; filename="statistics.csv"');
    const [names, ...lines] = (body as string)
      .replace('\ufeff', '')
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
    return lines.map((line) =>
      Object.fromEntries(names.map((name, index) => [name, line[index]]).filter(([, cell]) => cell)),
    );
  }

  it('has a line of the flow, its days, reasons and offers, and one more for each further currency', async () => {
    const offer = await acme.offer();
    const flow = await acme.publishedFlow({ offer_ids: [offer.id], name: '=Leaving' });
    const visit = (id: string, currency: string, ...steps: Step[]) => {
      const subscription = { amount: 1000, currency, interval: 'month' };
      return walk(service, { slug: flow.slug, customer: { id, subscription } }, ...steps);
    };
    await visit('ada', 'EUR', go, because('other'), accept);
    await visit('bob', 'USD', cancel);
    const today = new Date().toISOString().slice(0, 10);
    const lines = await read(`/flows/${flow.id}/stats.csv?from=${today}&interval=day`);
    expect(lines.map(({ of }) => of)).toEqual(['flow', 'flow', 'previous', 'period', 'period', 'reason', 'offer']);
    expect(lines[0]).toEqual({
      of: 'flow',
      sessions: '2',
      sessions_saved: '1',
      sessions_canceled: '1',
      customers: '2',
      customers_saved: '1',
      customers_saved_by_offer: '1',
      customers_canceled: '1',
      saved_rate: '0.5',
      canceled_rate: '0.5',
      currency: 'EUR',
      verified: 'false',
      value_customers: '1',
      value_at_risk: '1000',
      value_saved: '1000',
      value_canceled: '0',
      paid_since: '0',
    });
    // A further currency has no counts, so that a column can be added up.
    expect(lines[1]).toMatchObject({ of: 'flow', currency: 'USD', value_canceled: '1000' });
    expect(lines[1].sessions).toBeUndefined();
    expect(lines.at(-2)).toMatchObject({
      key: 'reason: other',
      sessions: '1',
      sessions_saved: '1',
      value_saved: '1000',
    });
    expect(lines.at(-1)).toMatchObject({ key: offer.id, name: offer.name, value_saved: '1000' });
    const [whole, , , , first] = await read(`/stats.csv?from=${today}&interval=day`);
    expect(whole).toMatchObject({ of: 'workspace', customers: '2' });
    expect(first.of).toBe('period');
    // No spreadsheet takes a name for a formula.
    expect((await read('/stats.csv')).at(-2)).toMatchObject({ of: 'flow', key: flow.id, name: "'=Leaving" });
  });

  it('has a line of each arm, with what it saves of a customer', async () => {
    const definition = {
      entry: 'hello',
      nodes: [
        { key: 'hello', type: 'start', config: { title: 'Hello' }, next: 'test' },
        {
          key: 'test',
          type: 'split',
          config: { ways: ['a', 'b'].map((name) => ({ name, weight: name === 'a' ? 1 : 0, next: 'end' })) },
        },
        { key: 'end', type: 'confirm', config: { title: 'Leave?' } },
      ],
    };
    const flow = await acme.publishedFlow({ flow_mode: 'advanced', definition, estimated_monthly_value: 20 });
    await walk(service, { slug: flow.slug, customer: { id: 'ada' } }, go, keep);
    const arms = (await read(`/flows/${flow.id}/stats.csv`)).filter(({ of }) => of === 'arm');
    expect(arms).toMatchObject([
      {
        key: 'test: a',
        name: 'a',
        customers: '1',
        customers_saved: '1',
        saved_rate: '1',
        value_saved: '20',
        mean: '20',
      },
      { key: 'test: b', name: 'b', customers: '0' },
    ]);
  });

  it('is not that of another workspace', async () => {
    const other = await service.workspace();
    const flow = await other.publishedFlow();
    expect((await acme.client.get(`${PUBLIC}/flows/${flow.id}/stats.csv`)).status).toBe(404);
  });
});
