import { serviceForAll, workspaceForEach } from '../support/service';

const SESSION = '/api/v1/runtime/session';
const PAUSE = { offer_type: 'pause_subscription', offer_duration: '1 to 3 months', terms: { months: [1, 2, 3] } };

describe('A customer chooses how long a pause lasts', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  /** A customer who stands at the offer. */
  async function atTheOffer(offer: object = {}, start: object = {}) {
    const { id } = await acme.offer({ name: 'Take a break', ...PAUSE, ...offer });
    const { slug } = await acme.publishedFlow({ offer_ids: [id] });
    const { session_id } = (await service.client.post(`${SESSION}/init`, { flow_slug: slug, ...start })).body;
    const step = (body: object) => service.client.post(`${SESSION}/${session_id}/step`, body);
    await step({ node_key: 'start', action: 'continue' });
    const { node } = (await step({ node_key: 'reason', action: 'answer', option: 'other' })).body;
    const accept = (fields: object = {}) => step({ node_key: 'offer_1', action: 'accept', ...fields });
    const { sessions } = (await acme.client.get('/api/v1/public/sessions?limit=1')).body;
    return { node, step, accept, offer_id: id, record: `/api/v1/public/sessions/${sessions[0].id}`, session_id };
  }

  it('among the numbers that the offer has, in their order', async () => {
    const { node } = await atTheOffer({ terms: { months: [3, 1] } });
    expect(node.config.months).toEqual([3, 1]);
  });

  it('and among none where the offer has one number', async () => {
    const { node, accept } = await atTheOffer({ terms: { months: 3 } });
    expect(node.config).not.toHaveProperty('months');
    expect((await accept({ months: 3 })).body.errors).toEqual([{ pointer: '/months', message: expect.any(String) }]);
    expect((await accept()).body.accepted_offer.offer_duration).toBe('1 to 3 months');
  });

  it.each([undefined, 4, 0, '2', [2], null, 1.5])('and nothing happens with %j', async (months) => {
    const { accept, record } = await atTheOffer();
    const { status, body } = await accept({ months });
    expect([status, body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([400, ['/months']]);
    const { steps, ...session } = (await acme.client.get(record)).body;
    expect([session.status, steps.length]).toEqual(['in_progress', 2]);
  });

  it('and what they chose is stored, also in the accepted offer', async () => {
    const { accept, record } = await atTheOffer();
    const { body } = await accept({ months: 2 });
    expect(body).toMatchObject({ status: 'saved', accepted_offer: { offer_duration: '2 months' } });
    const { steps, accepted_offer } = (await acme.client.get(record)).body;
    expect(accepted_offer).toMatchObject({ terms: { months: 2 }, offer_duration: '2 months' });
    expect(steps.at(-1)).toMatchObject({
      action: 'accept',
      months: 2,
      offer: { terms: { months: [1, 2, 3] }, offer_duration: '1 to 3 months' },
    });
  });

  it('once: the same again has the same answer, another number is a conflict', async () => {
    const { accept } = await atTheOffer();
    const first = await accept({ months: 2 });
    const again = await accept({ months: 2 });
    expect(again.body).toEqual(first.body);
    const other = await accept({ months: 3 });
    expect([other.status, other.body.code, other.body.session.accepted_offer]).toEqual([
      409,
      'step_conflict',
      first.body.accepted_offer,
    ]);
  });

  it('only by accepting', async () => {
    const { step } = await atTheOffer();
    const { status, body } = await step({ node_key: 'offer_1', action: 'decline', months: 2 });
    expect([status, body.errors[0].pointer]).toEqual([400, '/months']);
    expect((await step({ node_key: 'offer_1', action: 'decline' })).body.node.type).toBe('confirm');
  });

  it('of an offer as it was shown, whatever became of it since', async () => {
    const { accept, offer_id } = await atTheOffer();
    await acme.client.put(`/api/v1/public/offers/${offer_id}`, { terms: { months: 6 } });
    expect((await accept({ months: 3 })).body.accepted_offer.offer_duration).toBe('3 months');
  });

  it('and reads it in the closing words, in their language', async () => {
    const offer = {
      accepted_body: 'A break of {{duration}}.',
      translations: { de: { accepted_body: 'Pause: {{duration}}.' } },
    };
    const closingIn = async (locale: string) =>
      (await (await atTheOffer(offer, { locale })).accept({ months: 3 })).body.closing.body;
    expect(await closingIn('en')).toContain('A break of 3 months.');
    expect(await closingIn('de')).toContain('Pause: 3 Monate.');
  });

  it('and the closing words forget the name of a customer who is erased', async () => {
    const offer = { accepted_body: '{{first_name|You}} pause for {{duration}}.' };
    const customer = { id: 'cus_ada', attributes: { first_name: 'Ada' } };
    const { accept, session_id } = await atTheOffer(offer, { customer });
    expect((await accept({ months: 2 })).body.closing.body).toContain('Ada pause for 2 months.');
    expect((await acme.client.delete('/api/v1/public/customers/cus_ada')).body.erased).toBe(true);
    const left = (await service.client.get(`${SESSION}/${session_id}`)).body.closing.body;
    expect(left).toContain('You pause for 2 months.');
    const kept = await service.database.query<object[]>('SELECT * FROM session_steps WHERE workspace_id = $1', [
      acme.id,
    ]);
    expect(JSON.stringify(kept)).not.toContain('Ada');
  });

  it('also in a preview', async () => {
    const { id: offer_id } = await acme.offer({ name: 'Take a break', ...PAUSE });
    const { id } = await acme.publishedFlow({ offer_ids: [offer_id] });
    const { session_id } = (await acme.client.post(`/api/v1/public/flows/${id}/preview`, {})).body;
    const step = (body: object) => service.client.post(`${SESSION}/${session_id}/step`, body);
    await step({ node_key: 'start', action: 'continue' });
    await step({ node_key: 'reason', action: 'answer', option: 'other' });
    const accepted = await step({ node_key: 'offer_1', action: 'accept', months: 2 });
    expect(accepted.body.accepted_offer.offer_duration).toBe('2 months');
    expect((await step({ node_key: 'offer_1', action: 'accept', months: 2 })).body).toEqual(accepted.body);
  });

  it.each<[string, object, string]>([
    ['one number', { months: [2] }, '/terms/months'],
    ['five', { months: [1, 2, 3, 4, 5] }, '/terms/months'],
    ['the same twice', { months: [2, 2] }, '/terms/months'],
    ['none', { months: [0, 1] }, '/terms/months'],
    ['words', { months: ['1', '2'] }, '/terms/months'],
    ['lists', { months: [[1], [2]] }, '/terms/months'],
  ])('but an offer with a list of %s is refused', async (_, terms, pointer) => {
    const offer = { name: 'Take a break', offer_type: 'pause_subscription', terms };
    const { status, body } = await acme.client.post('/api/v1/public/offers', offer);
    expect([status, body.errors.map((error: { pointer: string }) => error.pointer)]).toEqual([400, [pointer]]);
  });

  it('but not how long a discount does', async () => {
    const terms = { percent_off: 30, duration: 'repeating', months: [1, 2] };
    const offer = { name: 'Less', offer_type: 'discount_percentage', terms };
    const { status, body } = await acme.client.post('/api/v1/public/offers', offer);
    expect([status, body.errors]).toEqual([400, [{ pointer: '/terms/months', message: 'is a list only for a pause' }]]);
  });
});
