import type { Answer } from '../support/client';
import { Service, serviceForAll, workspaceForEach } from '../support/service';
import { FULL_OFFER } from './full-offer';

const OFFERS = '/api/v1/public/offers';

/** A discount whose words and terms agree. */
const THIRTY = {
  ...FULL_OFFER,
  available: null,
  when: null,
  offer_type: 'discount_percentage',
  offer_value: '30%',
  heading: 'Stay for 30 % less',
  cta_accept: 'Take 30 % off',
  terms: { percent_off: 30, duration: 'repeating', months: 3 },
};

describe('Versions and the draft of an offer', () => {
  const service = serviceForAll(() => Service.start({ MAX_VERSIONS_PER_FLOW: '4', MAX_VERSIONS_PER_WORKSPACE: '6' }));
  const acme = workspaceForEach(service);

  const read = async ({ id }: { id: string }) => (await acme.client.get(`${OFFERS}/${id}`)).body;
  const change = ({ id }: { id: string }, changes: object, headers?: Record<string, string>) =>
    acme.client.put(`${OFFERS}/${id}`, changes, headers);
  const draft = ({ id }: { id: string }) => acme.client.get(`${OFFERS}/${id}/draft`);
  const save = ({ id }: { id: string }, changes: object, headers?: Record<string, string>) =>
    acme.client.put(`${OFFERS}/${id}/draft`, changes, headers);
  const publish = ({ id }: { id: string }, body: object = {}, headers?: Record<string, string>) =>
    acme.client.post(`${OFFERS}/${id}/draft/publish`, body, headers);
  const versions = async ({ id }: { id: string }) => (await acme.client.get(`${OFFERS}/${id}/versions`)).body.versions;
  const version = ({ id }: { id: string }, number: number | string) =>
    acme.client.get(`${OFFERS}/${id}/versions/${number}`);
  const restore = ({ id }: { id: string }, number: number, body: object = {}, headers?: Record<string, string>) =>
    acme.client.post(`${OFFERS}/${id}/versions/${number}/restore`, body, headers);
  /** What a new customer of a flow reads above its first offer. */
  const headingIn = async (slug: string): Promise<string> => {
    const session = '/api/v1/runtime/session';
    const { session_id } = (await service.client.post(`${session}/init`, { flow_slug: slug })).body;
    const step = (body: object) => service.client.post(`${session}/${session_id}/step`, body);
    await step({ node_key: 'start', action: 'continue' });
    return (await step({ node_key: 'reason', action: 'answer', option: 'too_expensive' })).body.node.config.heading;
  };
  const codeOf = ({ status, body }: Answer) => [status, body.code];
  const etagOf = ({ headers }: Answer) => ({ 'if-match': headers.get('etag')! });

  it('has its first version from its creation, and another one with each change of what customers get', async () => {
    const offer = await acme.offer(THIRTY);
    await change(offer, { heading: 'Stay for less, 30 %' });
    await change(offer, { heading: 'Stay for less, 30 %' });
    await change(offer, { key: 'thirty' });
    expect(await versions(offer)).toEqual([
      {
        version: 2,
        note: null,
        published_by: expect.objectContaining({ name: 'First key' }),
        created_at: expect.any(String),
      },
      {
        version: 1,
        note: null,
        published_by: expect.objectContaining({ name: 'First key' }),
        created_at: expect.any(String),
      },
    ]);
    expect((await read(offer)).current_version).toBe(2);
    const first = await version(offer, 1);
    expect([first.status, first.body]).toEqual([
      200,
      expect.objectContaining({ ...THIRTY, translations: {}, version: 1 }),
    ]);
    for (const other of [3, 0, '01', 'x', '99999999999']) expect((await version(offer, other)).status).toBe(404);
  });

  it('is edited in a draft that customers do not see until it is published, with a note', async () => {
    const offer = await acme.offer(THIRTY);
    const { slug } = await acme.publishedFlow({ offer_ids: [offer.id] });
    expect(codeOf(await draft(offer))).toEqual([404, 'not_found']);
    const saved = await save(offer, { heading: 'Stay for 30 %, less' });
    const { created_at: _, updated_at: __, id: ___, key: ____, status: _____, ...content } = await read(offer);
    expect([saved.status, saved.body]).toEqual([
      200,
      {
        ...content,
        heading: 'Stay for 30 %, less',
        based_on_version: 1,
        current_version: 1,
        updated_by: { type: 'api_key', id: expect.any(String), name: 'First key' },
        updated_at: expect.any(String),
        faults: [],
      },
    ]);
    expect((await draft(offer)).body).toEqual(saved.body);
    expect(await headingIn(slug)).toBe('Stay for 30 % less');

    const published = await publish(offer, { note: 'Calmer.' });
    expect([published.status, published.body]).toEqual([
      200,
      {
        updated: true,
        id: offer.id,
        version: 2,
        used_in: [{ id: expect.any(String), name: expect.any(String), status: 'published' }],
      },
    ]);
    expect((await read(offer)).heading).toBe('Stay for 30 %, less');
    expect((await versions(offer))[0]).toMatchObject({ version: 2, note: 'Calmer.' });
    expect((await draft(offer)).status).toBe(404);
    expect(await headingIn(slug)).toBe('Stay for 30 %, less');
  });

  it('goes back to an earlier version, which becomes the next one, and a draft stays', async () => {
    const offer = await acme.offer(THIRTY);
    await change(offer, { ...THIRTY, offer_value: '35%', terms: { ...THIRTY.terms, percent_off: 35 } });
    await save(offer, { body: 'Later.' });
    const restored = await restore(offer, 1, { note: '35 was too much.' });
    expect([restored.status, restored.body]).toEqual([200, { updated: true, id: offer.id, version: 3 }]);
    expect(await read(offer)).toMatchObject({ ...THIRTY, current_version: 3 });
    expect((await draft(offer)).body).toMatchObject({ body: 'Later.', based_on_version: 2, current_version: 3 });
    expect(codeOf(await restore(offer, 9))).toEqual([404, 'not_found']);
  });

  it('says where a changed offer is used, and which words the terms contradict', async () => {
    const offer = await acme.offer({
      ...THIRTY,
      translations: { de: { heading: 'Bleiben Sie für 30 % weniger' } },
    });
    const flow = await acme.publishedFlow({ offer_ids: [offer.id] });
    const other = await acme.flow({ name: 'In a drawer', offer_ids: [offer.id] });
    const archived = await acme.flow({ offer_ids: [offer.id] });
    await acme.client.delete(`/api/v1/public/flows/${archived.id}`);
    const { body } = await change(offer, { terms: { percent_off: 35, duration: 'repeating', months: 2 } });
    const thirty = { message: 'says 30, but the terms say 35 %' };
    expect(body).toEqual({
      updated: true,
      id: offer.id,
      used_in: [
        { id: other.id, name: 'In a drawer', status: 'draft' },
        { id: flow.id, name: expect.any(String), status: 'published' },
      ],
      warnings: [
        { pointer: '/offer_value', ...thirty },
        { pointer: '/offer_duration', message: 'says 3, but the terms say 2 months' },
        { pointer: '/heading', ...thirty },
        { pointer: '/cta_accept', ...thirty },
        { pointer: '/translations/de/heading', ...thirty },
      ],
    });
  });

  it('keeps a draft with faults, and refuses to publish it with a pointer to each', async () => {
    const offer = await acme.offer(THIRTY);
    const saved = await save(offer, {
      offer_type: 'pause_subscription',
      translations: { de: { heading: 'Hallo {{first_name|Sie}}' } },
    });
    expect(saved.status).toBe(200);
    const pointers = saved.body.faults.map(({ pointer }: { pointer: string }) => pointer);
    expect(pointers).toEqual(['/terms/duration', '/terms/percent_off', '/translations/de/heading']);
    const refused = await publish(offer);
    expect([refused.status, refused.body.errors]).toEqual([400, saved.body.faults]);
    expect(await read(offer)).toMatchObject(THIRTY);
    expect(await versions(offer)).toHaveLength(1);
    expect(codeOf(await save(offer, { heading: '' }))).toEqual([400, 'invalid_request']);
    expect((await draft(offer)).body).toEqual(saved.body);
  });

  it('loses no change of two people: a stale If-Match is 412, and a draft behind the live version is 409', async () => {
    const offer = await acme.offer(THIRTY);
    const seen = etagOf(await acme.client.get(`${OFFERS}/${offer.id}`));
    const first = await save(offer, { body: 'One.' }, seen);
    expect(codeOf(await save(offer, { body: 'Two.' }, seen))).toEqual([412, 'changed_meanwhile']);
    expect(codeOf(await publish(offer, {}, seen))).toEqual([412, 'changed_meanwhile']);
    await change(offer, { cta_decline: 'Not now' }, seen);
    expect(codeOf(await publish(offer))).toEqual([409, 'version_changed']);
    expect(codeOf(await publish(offer, {}, etagOf(first)))).toEqual([412, 'changed_meanwhile']);
    expect(codeOf(await restore(offer, 1, {}, seen))).toEqual([412, 'changed_meanwhile']);
    expect((await publish(offer, {}, etagOf(await draft(offer)))).body).toMatchObject({ version: 3 });
    expect(await read(offer)).toMatchObject({ body: 'One.', cta_decline: 'No' });
  });

  it('deletes its draft, and stays as it is', async () => {
    const offer = await acme.offer(THIRTY);
    const before = await read(offer);
    const saved = await save(offer, { body: 'One.' });
    const remove = (headers: object) => acme.client.delete(`${OFFERS}/${offer.id}/draft`, { ...headers });
    expect(codeOf(await remove({ 'if-match': '"x"' }))).toEqual([412, 'changed_meanwhile']);
    expect((await remove(etagOf(saved))).body).toEqual({ deleted: true, id: offer.id });
    expect(codeOf(await remove({}))).toEqual([404, 'not_found']);
    expect(await read(offer)).toEqual(before);
  });

  it('comes back from the archive with its status, unchanged', async () => {
    const offer = await acme.offer(THIRTY);
    const before = await read(offer);
    await acme.client.delete(`${OFFERS}/${offer.id}`);
    expect((await change(offer, { status: 'active' })).status).toBe(200);
    expect(await read(offer)).toEqual({ ...before, updated_at: expect.any(String) });
    expect((await change(offer, { status: 'gone' })).body.errors[0].pointer).toBe('/status');
  });

  it('logs what was there before a change and what is now', async () => {
    const offer = await acme.offer(THIRTY);
    await change(offer, {
      body: 'Longer.',
      terms: { ...THIRTY.terms, percent_off: 35 },
      metadata: { coupon: 'secret' },
    });
    const { changes } = (await acme.client.get('/api/v1/public/changes?limit=1')).body;
    expect(changes[0]).toMatchObject({
      action: 'offer.changed',
      details: {
        fields: ['body', 'metadata', 'terms'],
        version: 2,
        before: { terms: THIRTY.terms },
        after: { terms: { ...THIRTY.terms, percent_off: 35 } },
      },
    });
    expect(JSON.stringify(changes[0])).not.toContain('secret');
  });

  it('may have a number of versions, alone and together', async () => {
    const offer = await acme.offer(THIRTY);
    for (const heading of ['2', '3', '4']) await change(offer, { heading });
    const full = await change(offer, { heading: '5' });
    expect([...codeOf(full), full.body.detail]).toEqual([
      409,
      'version_limit_reached',
      expect.stringContaining('It has 4 '),
    ]);
    expect((await change(offer, { status: 'archived' })).status).toBe(200);
    const other = await acme.offer();
    await change(other, { heading: '2' });
    expect(codeOf(await change(other, { heading: '3' }))).toEqual([409, 'workspace_version_limit_reached']);
    expect((await read(other)).current_version).toBe(2);
  });

  it('of an offer that an older version of the service wrote begin with what it wrote', async () => {
    const offer = await acme.offer(THIRTY);
    await service.database.query('DELETE FROM offer_versions WHERE offer_id = $1', [offer.id]);
    expect(await versions(offer)).toMatchObject([{ version: 1, note: null, published_by: null }]);
    expect((await version(offer, 1)).body).toMatchObject({ heading: THIRTY.heading, published_by: null });
    expect((await version(offer, 2)).status).toBe(404);
    await change(offer, { heading: 'Second' });
    expect((await version(offer, 1)).body).toMatchObject({ heading: THIRTY.heading, published_by: null });
    expect((await version(offer, 2)).body).toMatchObject({ heading: 'Second' });
  });

  it('lose nothing that an older version of the service changed without a version', async () => {
    const offer = await acme.offer(THIRTY);
    await service.database.query(`UPDATE offers SET heading = 'Changed by it' WHERE id = $1`, [offer.id]);
    await change(offer, { heading: 'Third' });
    const headings = [1, 2, 3].map(async (number) => (await version(offer, number)).body.heading as string);
    expect(await Promise.all(headings)).toEqual([THIRTY.heading, 'Changed by it', 'Third']);
  });
});
