import { serviceForAll, workspaceForEach } from '../support/service';
import { because, cancel, go, keep, type Step, walk } from '../statistics/walk';
import { readCsv } from './read-csv';

const PUBLIC = '/api/v1/public';
const PRO = { all: [{ attribute: 'plan', is: '=', value: 'pro' }] };

describe('Segments of customers', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);
  let flow: { id: string; slug: string };
  let pros: string;

  const says = (option: string, comment: string): Step => ({ ...because(option), comment });

  beforeEach(async () => {
    flow = await acme.publishedFlow();
    const visit = (id: string, plan: string, ...steps: Step[]) =>
      walk(service, { slug: flow.slug, customer: { id, attributes: { plan } } }, ...steps);
    await visit('ada', 'pro', go, says('other', 'the price'), cancel);
    await visit('bob', 'pro', go, says('too_expensive', 'too much'), keep);
    await visit('cyd', 'team', go, says('other', 'the price'), cancel);
    pros = (await acme.client.post(`${PUBLIC}/audiences`, { name: 'Pros', when: PRO })).body.id;
  });

  const asked = (segment: { where?: unknown; audience?: string }, more = '') => {
    const query = new URLSearchParams({
      ...(segment.where !== undefined && { where: JSON.stringify(segment.where) }),
      ...(segment.audience !== undefined && { audience: segment.audience }),
    });
    return `?${query}${more}`;
  };
  const customers = async (path: string) => {
    const { status, body } = await acme.client.get(`${PUBLIC}${path}`);
    expect(status).toBe(200);
    return (body.sessions ?? body.comments).map(({ customer_id }: { customer_id: string }) => customer_id);
  };
  const OTHER = { all: [{ answer: 'reason', is: '=', value: 'other' }] };

  it('are the sessions, the comments and the numbers for which conditions hold', async () => {
    for (const list of ['/sessions', '/comments']) {
      expect(await customers(list + asked({ where: PRO }))).toEqual(['bob', 'ada']);
      expect(await customers(list + asked({ audience: pros }))).toEqual(['bob', 'ada']);
      expect(await customers(list + asked({ where: OTHER, audience: pros }))).toEqual(['ada']);
      expect(await customers(list + asked({ where: { any: [{ audience: pros }, OTHER] } }))).toEqual([
        'cyd',
        'bob',
        'ada',
      ]);
    }
    for (const path of ['/stats', `/flows/${flow.id}/stats`]) {
      const { body } = await acme.client.get(PUBLIC + path + asked({ where: OTHER, audience: pros }));
      expect(body.sessions).toMatchObject({ total: 1, canceled: 1 });
    }
  });

  it('go with the other filters, and over pages', async () => {
    expect(await customers('/sessions' + asked({ audience: pros }, '&status=canceled'))).toEqual(['ada']);
    expect(await customers('/sessions' + asked({ audience: pros }, '&search=cyd'))).toEqual([]);
    expect(await customers('/comments' + asked({ audience: pros }, '&q=price'))).toEqual(['ada']);
    const { body } = await acme.client.get(`${PUBLIC}/sessions${asked({ where: PRO }, '&limit=1')}`);
    expect(body.sessions[0].customer_id).toBe('bob');
    expect(await customers('/sessions' + asked({ where: PRO }, `&limit=1&cursor=${body.next_cursor}`))).toEqual([
      'ada',
    ]);
  });

  it('are downloaded alone', async () => {
    for (const path of ['/sessions.csv', '/comments.csv']) {
      const { body } = await acme.client.get(PUBLIC + path + asked({ audience: pros }));
      const [head, ...rows] = readCsv(body as string);
      expect(rows.map((row) => row[head.indexOf('customer_id')])).toEqual(['bob', 'ada']);
    }
  });

  it.each(['/sessions', '/comments', '/stats', '/sessions.csv', '/comments.csv'])(
    'at %s refuse conditions that are none, and an audience of another workspace',
    async (path) => {
      const wrong = await acme.client.get(`${PUBLIC}${path}?where=plan`);
      expect([wrong.status, wrong.body.errors[0].parameter]).toEqual([400, 'where']);
      expect((await acme.client.get(`${PUBLIC}${path}?audience=pros`)).status).toBe(400);
      const other = await service.workspace();
      expect((await other.client.get(`${PUBLIC}${path}?audience=${pros}`)).status).toBe(404);
      const foreign = asked({ where: { all: [{ audience: pros }] } });
      expect((await other.client.get(`${PUBLIC}${path}${foreign}`)).status).toBe(400);
    },
  );
});
