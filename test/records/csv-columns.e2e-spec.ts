import { Service, Tenant } from '../support/service';
import { beginSession } from './begin-session';
import { readCsv } from './read-csv';

const PUBLIC = '/api/v1/public';

describe('The columns of a file for spreadsheets', () => {
  let service: Service;
  let acme: Tenant;
  let flow: { id: string; slug: string };

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
    const offer = await acme.offer({ name: '=1+1' });
    flow = await acme.publishedFlow({ offer_ids: [offer.id] });
  });

  const begin = (customer?: object) => beginSession(service, acme, flow.slug, customer);

  /** The rows of a file, by a reader of RFC 4180. */
  async function rowsOf(path: string): Promise<string[][]> {
    const { status, body } = await acme.client.get(`${PUBLIC}/${path}`);
    expect(status).toBe(200);
    return readCsv(body as string);
  }

  /** The rows of a file by the names of its columns. */
  async function recordsOf(path: string): Promise<Record<string, string>[]> {
    const [head, ...rows] = await rowsOf(path);
    return rows.map((row) => Object.fromEntries(row.map((cell, index) => [head[index], cell])));
  }

  it('has the sessions, newest first, with who, why and what was accepted, in keys and in words', async () => {
    const saved = await begin({
      id: 'cus_1',
      email: 'ada@example.com',
      attributes: { plan: 'pro', seats: -2 },
      subscription: { id: 'sub_1', amount: 12000, currency: 'EUR', interval: 'year' },
    });
    await saved.take({ node_key: 'start', action: 'continue' });
    await saved.take({ node_key: 'reason', action: 'answer', option: 'other' });
    await saved.take({ node_key: 'offer_1', action: 'accept' });
    const open = await begin();
    await acme.client.put(`${PUBLIC}/flows/${flow.id}`, { name: 'Leaving, renamed' });
    const { created_at, updated_at, accepted_offer } = (await acme.client.get(`${PUBLIC}/sessions/${saved.id}`)).body;
    const [head, first, second] = await rowsOf('sessions.csv');
    expect(head.join()).toBe(
      'id,flow_id,flow_name,flow_version,status,reason,customer_id,customer_verified,email,' +
        'subscription_id,monthly_amount,currency,amount_verified,estimated_monthly_value,locale,answers,answer_labels,arms,' +
        'accepted_offer_id,accepted_offer_name,fulfilment,created_at,updated_at,accepted_months,source,result,attributes.plan,attributes.seats,' +
        'other_attributes',
    );
    expect(first.slice(0, 8)).toEqual([open.id, flow.id, 'Leaving, renamed', '1', 'in_progress', '', '', 'false']);
    expect(second).toEqual([
      saved.id,
      flow.id,
      'Leaving, renamed',
      '1',
      'saved',
      'offer_accepted',
      'cus_1',
      'false',
      'ada@example.com',
      'sub_1',
      '1000',
      'EUR',
      'false',
      '',
      'en',
      'reason: other',
      'Something else',
      '',
      accepted_offer.id,
      "'=1+1",
      'none',
      created_at,
      updated_at,
      '',
      '',
      '',
      'pro',
      '-2',
      '',
    ]);
  });

  it('has the months of a pause that the customer chose', async () => {
    const pause = await acme.offer({ offer_type: 'pause_subscription', terms: { months: [1, 2, 3] } });
    flow = await acme.publishedFlow({ offer_ids: [pause.id] });
    const saved = await begin();
    await saved.take({ node_key: 'start', action: 'continue' });
    await saved.take({ node_key: 'reason', action: 'answer', option: 'other' });
    await saved.take({ node_key: 'offer_1', action: 'accept', months: 2 });
    expect((await recordsOf('sessions.csv'))[0]).toMatchObject({ accepted_months: '2' });
  });

  it('has the arms of experiments, and no ways of branches', async () => {
    const definition = {
      entry: 'start',
      nodes: [
        { key: 'start', type: 'start', config: { title: 'Wait' }, next: 'who' },
        {
          key: 'who',
          type: 'branch',
          config: { ways: [{ when: { all: [{ attribute: 'plan', is: 'exists' }] }, next: 'confirm' }] },
          next: 'test',
        },
        {
          key: 'test',
          type: 'split',
          config: {
            ways: [
              { name: 'short', weight: 1, next: 'confirm' },
              { name: 'long', weight: 0, next: 'confirm' },
            ],
          },
        },
        { key: 'confirm', type: 'confirm', config: { title: 'Cancel?' } },
      ],
    };
    flow = await acme.publishedFlow({ flow_mode: 'advanced', definition });
    await (await begin()).take({ node_key: 'start', action: 'continue' });
    expect((await recordsOf('sessions.csv'))[0]).toMatchObject({ flow_id: flow.id, arms: 'test: short' });
  });

  it('begins with a byte order mark, so that Excel reads its letters', async () => {
    for (const path of ['sessions.csv', 'comments.csv']) {
      const response = await fetch(`${service.client.baseUrl}${PUBLIC}/${path}`, {
        headers: { authorization: `Bearer ${acme.key}` },
      });
      expect([...new Uint8Array(await response.arrayBuffer()).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    }
  });

  it('has a column for each attribute of the span, whatever it is called', async () => {
    const attributes = { '=1+1': '=1+1', 'a,"b"\r\n': true, seats: 0, email: null, id: 'x', 2: 'two' };
    await begin({ id: 'cus_1', attributes });
    await begin({ id: 'cus_2' });
    const [other, one] = await recordsOf('sessions.csv');
    expect(one).toMatchObject({
      email: '',
      'attributes.=1+1': "'=1+1",
      'attributes.a,"b"\r\n': 'true',
      'attributes.seats': '0',
      'attributes.email': '',
      'attributes.id': 'x',
      'attributes.2': 'two',
      other_attributes: '',
    });
    const named = Object.entries(other).filter(([name]) => name.startsWith('attributes.'));
    expect(named.map(([, cell]) => cell)).toEqual(Array(6).fill(''));
    expect(Object.keys((await recordsOf(`sessions.csv?flow_id=${flow.id}`))[0])).toContain('attributes.id');
    expect((await rowsOf('sessions.csv?to=2026-01-01'))[0].at(-2)).toBe('result');
  });

  it('has rarer attributes in the last column when there are more than 50, and loses none', async () => {
    const numbered = (from: number) => Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`n${from + n}`, n]));
    await begin({ id: 'cus_1', attributes: { ...numbered(10), n59: 'seldom' } });
    await begin({ id: 'cus_2', attributes: numbered(9) });
    const [second, first] = await recordsOf('sessions.csv');
    expect(Object.keys(first).filter((name) => name.startsWith('attributes.'))).toHaveLength(50);
    expect([second['attributes.n9'], second.other_attributes]).toEqual([undefined, '{"n9":0}']);
    expect([first['attributes.n59'], first.other_attributes]).toEqual(['seldom', '']);
  });

  it('has an apostrophe in front of all text that a spreadsheet could run', async () => {
    const signs = [...'=+-@＝＋－＠'].map((sign) => `${sign}1+1`);
    const fronts = [' ', '\u00a0', '\ufeff', '\u200b', '\v', '\u001f'];
    const formulas = [...signs, ...fronts.map((front) => `${front}=1+1`), '\ttext', '\rtext', '\ntext', "'=1"];
    for (const id of formulas) await begin({ id, attributes: { plan: id } });
    const rows = await recordsOf('sessions.csv');
    const expected = formulas.map((id) => `'${id}`).toReversed();
    expect(rows.map(({ customer_id }) => customer_id)).toEqual(expected);
    expect(rows.map((row) => row['attributes.plan'])).toEqual(expected);
  });

  it.each([
    ['too dear;=1+1', "too dear;'=1+1"],
    ['too dear\t=1+1', "too dear\t'=1+1"],
    ['too dear\r\n=1+1', "too dear\r\n'=1+1"],
    ['too dear; \u200b=1;+2', "too dear;' \u200b=1;'+2"],
    ['\n\t=1', "'\n\t'=1"],
    ['too dear;"-1+1', 'too dear;\'"-1+1'],
    ['" =1', '\'" =1'],
  ])('has %j as %j, because where people write decimals with commas, Excel splits it there', async (id, cell) => {
    await begin({ id });
    expect((await recordsOf('sessions.csv'))[0].customer_id).toBe(cell);
  });

  it.each(['a=1', '1-1', 'a;b', 'a\nb', ' text', '(=1)', '–1'])('has %j as it was written', async (id) => {
    await begin({ id });
    expect((await recordsOf('sessions.csv'))[0].customer_id).toBe(id);
  });
});
