import { Visitor } from '../events/deliveries/visitor';
import { serviceForAll, workspaceForEach } from '../support/service';

const PUBLIC = '/api/v1/public';
const COUPON = { stripe_coupon: 'half', 'plan.name': '' };

/** Metadata of exactly this many bytes as JSON. */
function ofSize(bytes: number): Record<string, string> {
  const metadata: Record<string, string> = Object.fromEntries(
    Array.from({ length: 7 }, (_, n) => [`${n}`, 'x'.repeat(500)]),
  );
  const left = bytes - Buffer.byteLength(JSON.stringify({ ...metadata, rest: '' }));
  return { ...metadata, rest: 'x'.repeat(left) };
}

describe('Metadata', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const create = { offers: (fields: object) => acme.offer(fields), flows: (fields: object) => acme.flow(fields) };
  const resources = ['offers', 'flows'] as const;
  const read = async (path: string) => (await acme.client.get(`${PUBLIC}/${path}`)).body;

  describe.each(resources)('of %s', (resource) => {
    it('is {} until it is given, replaced as a whole, cleared with {}, and stays with any other change', async () => {
      const { id } = await create[resource]({});
      const path = `${resource}/${id}`;
      const metadata = async () => (await read(path)).metadata;
      expect(await metadata()).toEqual({});
      for (const value of [COUPON, { other: 'name' }, {}, COUPON]) {
        expect((await acme.client.put(`${PUBLIC}/${path}`, { metadata: value })).status).toBe(200);
        expect(await metadata()).toEqual(value);
      }
      await acme.client.put(`${PUBLIC}/${path}`, { name: 'Renamed' });
      expect(await metadata()).toEqual(COUPON);
    });

    it.each([
      ['20 names', Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`name-${n}`, `${n}`]))],
      ['names of 40 characters', { ['a'.repeat(40)]: 'a', 'A-Z_0.9': 'b', '0': 'c', '.': 'd', length: 'e' }],
      ['texts of 500 characters', { empty: '', blank: ' ', emoji: '💸'.repeat(500), control: '\u0001\n\u2028' }],
      ['4000 bytes', ofSize(4000)],
    ])('takes %s, and stores them unchanged', async (_, metadata) => {
      const { id } = await create[resource]({ metadata });
      expect((await read(`${resource}/${id}`)).metadata).toEqual(metadata);
    });

    it.each([
      ['null', null],
      ['a list', ['half']],
      ['text', 'half'],
      ['21 names', Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`name-${n}`, '']))],
      ['an empty name', { '': 'half' }],
      ['a name of 41 characters', { ['a'.repeat(41)]: 'half' }],
      ['a name with a space', { 'stripe coupon': 'half' }],
      ['a name with a line break', { 'coupon\n': 'half' }],
      ['a name with a letter of another script', { größe: 'half' }],
      ['a text of 501 characters', { coupon: '💸'.repeat(501) }],
      ['a number', { coupon: 50 }],
      ['null for a name', { coupon: null }],
      ['an object', { coupon: {} }],
      ['4001 bytes', ofSize(4001)],
    ])('refuses %s, names the field, and changes nothing', async (_, metadata) => {
      const { id } = await create[resource]({ metadata: COUPON });
      const before = await read(`${resource}/${id}`);
      const { status, body } = await acme.client.put(`${PUBLIC}/${resource}/${id}`, { metadata, name: 'Renamed' });
      expect([status, body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([400, ['/metadata']]);
      expect(body.errors[0].message).toContain('at most 20 names');
      expect(await read(`${resource}/${id}`)).toEqual(before);
    });

    it.each(['__proto__', 'constructor', 'toString', 'prototype'])('refuses the name %s', async (name) => {
      const { id } = await create[resource]({});
      const { status, body } = await acme.client.send('PUT', `${PUBLIC}/${resource}/${id}`, {
        headers: { 'content-type': 'application/json' },
        body: `{"metadata":{"${name}":"half"}}`,
      });
      expect([status, body.errors]).toEqual([
        400,
        [{ pointer: '/metadata', message: `has the key ${name}, which is reserved` }],
      ]);
    });

    it.each([
      ['NUL', '\\u0000'],
      ['half a character', '\\ud83d'],
    ])('refuses a text with %s, and points to it', async (_, text) => {
      const { status, body } = await acme.client.send('POST', `${PUBLIC}/${resource}`, {
        headers: { 'content-type': 'application/json' },
        body: `{"metadata":{"coupon":"${text}"}}`,
      });
      expect([status, body.errors[0].pointer]).toEqual([400, '/metadata/coupon']);
    });

    it('is in no list', async () => {
      await create[resource]({ metadata: COUPON });
      expect(JSON.stringify(await read(resource))).not.toContain('stripe_coupon');
    });
  });

  it('of a flow makes no new version of it', async () => {
    const { id } = await acme.publishedFlow();
    await acme.client.put(`${PUBLIC}/flows/${id}`, { metadata: COUPON });
    expect(await read(`flows/${id}`)).toMatchObject({ metadata: COUPON, current_version: 1 });
  });

  it('of an offer is in records as it was when the offer was shown, accepted or not', async () => {
    const [declined, accepted] = [
      await acme.offer({ metadata: { n: '1' } }),
      await acme.offer({ metadata: { n: '2' } }),
    ];
    const visitor = await Visitor.begin(service, await acme.publishedFlow({ offer_ids: [declined.id, accepted.id] }), {
      id: 'cus_1',
    });
    await visitor.answer();
    const edit = async (changes: object) => {
      for (const { id } of [declined, accepted]) await acme.client.put(`${PUBLIC}/offers/${id}`, changes);
    };
    await visitor.decline();
    await edit({ metadata: { n: 'later' } });
    await service.client.post(`/api/v1/runtime/session/${visitor.sessionId}/step`, {
      node_key: 'offer_2',
      action: 'accept',
    });
    await edit({ metadata: {} });
    const record = await read(`sessions/${visitor.sessionId}`);
    expect(record.accepted_offer).toMatchObject({ id: accepted.id, metadata: { n: '2' } });
    expect(record.steps.map(({ offer }: { offer: { metadata: object } | null }) => offer?.metadata)).toEqual([
      undefined,
      undefined,
      { n: '1' },
      { n: '2' },
    ]);
    expect((await read('sessions')).sessions[0].accepted_offer).toEqual(record.accepted_offer);
    await acme.client.delete(`${PUBLIC}/customers/cus_1`);
    expect((await read(`sessions/${visitor.sessionId}`)).accepted_offer.metadata).toEqual({ n: '2' });
  });
});
