import type { Answer, Client } from '../../support/client';
import { connected, untilBlocking, workerDatabaseUrl } from '../../support/database';
import { serviceForAll, workspaceForEach } from '../../support/service';

const PUBLIC = '/api/v1/public';

/** One thing that can be changed: where it is, a change, and what a change is locked by. */
interface Thing {
  path: string;
  client: Client;
  change: object;
  lock: string;
}

const THINGS = ['flow', 'draft', 'offer', 'audience', 'webhook', 'workspace', "operator's workspace"] as const;
/** Names in a response that say something else than what somebody changed. */
const MOVING = ['faults', 'failing_since', 'usage', 'sessions_used', 'period_end'];

describe('What can be changed', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  async function make(what: (typeof THINGS)[number]): Promise<Thing> {
    const { client } = acme;
    const change = { name: 'Renamed' };
    if (what === 'workspace') return { path: `${PUBLIC}/workspace`, client, change, lock: 'workspaces' };
    if (what === "operator's workspace") {
      const path = `/api/v1/admin/workspaces/${acme.id}`;
      return { path, client: service.operator, change, lock: 'workspaces' };
    }
    if (what === 'offer') {
      const path = `${PUBLIC}/offers/${(await acme.offer()).id}`;
      return { path, client, change, lock: 'offers' };
    }
    if (what === 'audience') {
      const when = { all: [{ attribute: 'plan', is: '=', value: 'pro' }] };
      const { id } = (await client.post(`${PUBLIC}/audiences`, { name: 'Pros', when })).body;
      return { path: `${PUBLIC}/audiences/${id}`, client, change, lock: 'audiences' };
    }
    if (what === 'webhook') {
      const { body } = await client.post(`${PUBLIC}/webhooks`, { url: 'https://acme.example/' });
      const path = `${PUBLIC}/webhooks/${body.id}`;
      return { path, client, change: { description: 'Changed' }, lock: 'webhooks' };
    }
    const path = `${PUBLIC}/flows/${(await acme.flow()).id}`;
    if (what === 'flow') return { path, client, change, lock: 'flows' };
    await client.put(`${path}/draft`, { name: 'Draft' });
    return { path: `${path}/draft`, client, change, lock: 'flows' };
  }

  const etagOf = async ({ client, path }: Pick<Thing, 'client' | 'path'>) =>
    (await client.get(path)).headers.get('etag')!;
  const put = ({ client, path, change }: Thing, etag?: string) =>
    client.put(path, change, etag === undefined ? {} : { 'if-match': etag });
  const codeOf = ({ status, body }: Answer) => [status, body.code];

  describe.each(THINGS)('%s', (what) => {
    it('has an ETag that stays until it is changed', async () => {
      const thing = await make(what);
      const etag = await etagOf(thing);
      expect(etag).toMatch(/^"[\w-]{22}"$/);
      expect(await etagOf(thing)).toBe(etag);
      expect((await put(thing)).status).toBe(200);
      expect(await etagOf(thing)).not.toBe(etag);
    });

    it('has a change answered with its new ETag, so that the next one needs no reading', async () => {
      const thing = await make(what);
      for (const change of [
        thing.change,
        thing.change,
        { ...thing.change, ...(what !== 'webhook' && { name: 'Again' }) },
      ]) {
        const { headers } = await put({ ...thing, change }, await etagOf(thing));
        expect(headers.get('etag')).toBe(await etagOf(thing));
      }
      const first = await put(thing);
      expect((await put({ ...thing, change: thing.change }, first.headers.get('etag')!)).status).toBe(200);
      const refused = await put(thing, '"another"');
      expect([refused.status, refused.headers.get('etag')]).toEqual([412, null]);
    });

    it('is not sent again to whoever has it, unless something in it changes by itself', async () => {
      const thing = await make(what);
      const etag = await etagOf(thing);
      if (!['flow', 'offer', 'audience'].includes(what)) {
        const { status, body } = await thing.client.get(thing.path, { 'if-none-match': etag });
        expect([status, Object.keys(body).some((name) => ['usage', 'faults', 'failing_since'].includes(name))]).toEqual(
          [200, true],
        );
        return;
      }
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const { status, headers, body } = await thing.client.get(thing.path, { 'if-none-match': known });
        expect([known, status, headers.get('etag'), body]).toEqual([known, 304, etag, '']);
        expect([headers.get('content-type'), headers.get('content-length')]).toEqual([null, null]);
      }
      expect((await thing.client.get(thing.path, { 'if-none-match': '"other"' })).status).toBe(200);
      await put(thing);
      expect((await thing.client.get(thing.path, { 'if-none-match': etag })).status).toBe(200);
    });

    it('is changed by whoever has read it as it is, and by nobody who has not', async () => {
      const thing = await make(what);
      const etag = await etagOf(thing);
      expect((await put(thing, etag)).status).toBe(200);
      const { body } = await thing.client.get(thing.path);
      const refused = await put({ ...thing, change: { ...thing.change, name: 'Lost' } }, etag);
      // A webhook has no name: the shape of a change is checked first.
      expect(codeOf(refused)).toEqual(what === 'webhook' ? [400, 'invalid_request'] : [412, 'changed_meanwhile']);
      expect(codeOf(await put(thing, etag))).toEqual([412, 'changed_meanwhile']);
      expect((await thing.client.get(thing.path)).body).toEqual(body);
      for (const good of [() => '*', (now: string) => `"other", ${now}`, (now: string) => `W/${now}`]) {
        expect((await put(thing, good(await etagOf(thing)))).status).toBe(200);
      }
    });

    it('is changed by one of two who have read the same, however close they are', async () => {
      const thing = await make(what);
      const etag = await etagOf(thing);
      const answers = await connected(workerDatabaseUrl(), async (client) => {
        await client.query('BEGIN');
        const owner = thing.lock === 'workspaces' ? 'id' : 'workspace_id';
        await client.query(`SELECT FROM ${thing.lock} WHERE ${owner} = $1 FOR UPDATE`, [acme.id]);
        const sent = [put(thing, etag), put(thing, etag)];
        await untilBlocking(client, 2);
        await client.query('COMMIT');
        return Promise.all(sent);
      });
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 412)).toHaveLength(1);
    });
  });

  it.each(['flow', 'draft', 'offer', 'webhook'] as const)(
    '%s: is archived or deleted only by whoever has read it as it is',
    async (what) => {
      const thing = await make(what);
      const etag = await etagOf(thing);
      await put(thing);
      const remove = (ifMatch: string) => thing.client.delete(thing.path, { 'if-match': ifMatch });
      expect(codeOf(await remove(etag))).toEqual([412, 'changed_meanwhile']);
      expect((await remove(await etagOf(thing))).status).toBe(200);
    },
  );

  it.each(MOVING)('has another ETag if metadata of the name %s are changed, also as a document', async (name) => {
    const { id } = await acme.flow({ metadata: { [name]: 'one' } });
    const etags = () =>
      Promise.all([`flows/${id}`, 'config'].map((path) => etagOf({ client: acme.client, path: `${PUBLIC}/${path}` })));
    const [ofFlow, ofConfig] = await etags();
    await acme.client.put(`${PUBLIC}/flows/${id}`, { metadata: { [name]: 'two' } });
    const stale = await acme.client.get(`${PUBLIC}/config`);
    expect(stale.headers.get('etag')).not.toBe(ofConfig);
    expect((await etags())[0]).not.toBe(ofFlow);
    const refused = await acme.client.put(`${PUBLIC}/config`, stale.body, { 'if-match': ofConfig });
    expect(codeOf(refused)).toEqual([412, 'changed_meanwhile']);
  });

  it('is restored and published only by whoever has read it as it is', async () => {
    const flow = await make('flow');
    const etag = await etagOf(flow);
    await put(flow);
    const restore = (ifMatch: string) =>
      acme.client.post(`${flow.path}/versions/1/restore`, {}, { 'if-match': ifMatch });
    expect(codeOf(await restore(etag))).toEqual([412, 'changed_meanwhile']);
    expect((await restore(await etagOf(flow))).status).toBe(200);

    const draft = await make('draft');
    const first = await etagOf(draft);
    const saved = await put(draft);
    expect(saved.headers.get('etag')).toBe(await etagOf(draft));
    const publish = (ifMatch: string) => acme.client.post(`${draft.path}/publish`, {}, { 'if-match': ifMatch });
    expect(codeOf(await publish(first))).toEqual([412, 'changed_meanwhile']);
    expect((await publish(saved.headers.get('etag')!)).status).toBe(200);
  });

  it('is a flow before it has a draft: the first change of a draft names its ETag', async () => {
    const flow = await make('flow');
    const etag = await etagOf(flow);
    const save = (changes: object) => acme.client.put(`${flow.path}/draft`, changes, { 'if-match': etag });
    await put(flow);
    expect(codeOf(await save({ name: 'Mine' }))).toEqual([412, 'changed_meanwhile']);
    const { status } = await acme.client.put(
      `${flow.path}/draft`,
      { name: 'Mine' },
      { 'if-match': await etagOf(flow) },
    );
    expect(status).toBe(200);
    expect(codeOf(await save({ name: 'Theirs' }))).toEqual([412, 'changed_meanwhile']);
  });

  it('keeps its ETag while customers start sessions and take steps', async () => {
    const things = await Promise.all(THINGS.map(make));
    const { slug: flow_slug, id } = await acme.publishedFlow({ offer_ids: [(await acme.offer()).id] });
    things.push({ ...things[0], path: `${PUBLIC}/flows/${id}` });
    const before = await Promise.all(things.map(etagOf));
    const { session_id } = (await service.client.post('/api/v1/runtime/session/init', { flow_slug })).body;
    await service.client.post(`/api/v1/runtime/session/${session_id}/step`, { action: 'cancel' });
    expect(await Promise.all(things.map(etagOf))).toEqual(before);
  });

  it('has an ETag that tells a changed session limit', async () => {
    const own = await make('workspace');
    const etag = await etagOf(own);
    await service.operator.put(`/api/v1/admin/workspaces/${acme.id}`, { session_limit: 7 });
    expect(await etagOf(own)).not.toBe(etag);
  });

  it.each(['etag', '"a', 'W/*', '"a" "b"', `"${'x'.repeat(1000)}"`, '"ä"', ''])(
    'refuses %j as If-Match, and names the header',
    async (etag) => {
      const thing = await make('offer');
      const { status, body } = await put(thing, etag);
      expect([status, body.errors[0].header]).toEqual([400, 'If-Match']);
    },
  );

  it('is 404 with an If-Match, too, if it is not there', async () => {
    const other = await service.workspace();
    for (const what of ['flow', 'draft', 'offer', 'webhook'] as const) {
      const thing = { ...(await make(what)), client: other.client };
      for (const ifMatch of ['*', '"AAAAAAAAAAAAAAAAAAAAAA"']) {
        expect([what, (await put(thing, ifMatch)).status]).toEqual([what, 404]);
        expect([what, (await other.client.delete(thing.path, { 'if-match': ifMatch })).status]).toEqual([what, 404]);
      }
    }
  });
});
