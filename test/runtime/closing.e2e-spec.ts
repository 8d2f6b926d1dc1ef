import { serviceForAll, workspaceForEach } from '../support/service';

const SESSION = '/api/v1/runtime/session';

describe('What a customer reads after accepting an offer', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  /** A customer who accepts it, as the service answers then. */
  async function accept(offer: object, start: object = {}) {
    const { id } = await acme.offer({ name: 'An offer', ...offer });
    const { slug } = await acme.publishedFlow({ offer_ids: [id] });
    const { session_id } = (await service.client.post(`${SESSION}/init`, { flow_slug: slug, ...start })).body;
    const step = async (body: object) => (await service.client.post(`${SESSION}/${session_id}/step`, body)).body;
    await step({ node_key: 'start', action: 'continue' });
    await step({ node_key: 'reason', action: 'answer', option: 'too_expensive' });
    const accepted = await step({ node_key: 'offer_1', action: 'accept' });
    return { accepted, step, session_id: session_id as string };
  }
  const closingOf = async (offer: object, start?: object) => (await accept(offer, start)).accepted.closing;

  it('are words of the service where it does nothing in billing', async () => {
    const terms = { percent_off: 30, duration: 'once' };
    expect(await closingOf({ offer_type: 'discount_percentage', terms })).toEqual({
      title: 'Thank you for staying',
      body: 'We are taking care of it.',
    });
  });

  it('is a title alone for an offer of any other kind', async () => {
    expect(await closingOf({ offer_type: 'custom' })).toEqual({ title: 'Thank you for staying', body: '' });
  });

  it('are the words of the offer, with the values of its placeholders, and not its heading once more', async () => {
    const offer = {
      offer_type: 'custom',
      offer_value: 'a call',
      accepted_title: 'Until soon, {{first_name|friend}}',
      accepted_body: 'We have booked {{value}}.',
    };
    const customer = { id: 'c1', attributes: { first_name: 'Ada' } };
    expect(await closingOf(offer, { customer })).toEqual({ title: 'Until soon, Ada', body: 'We have booked a call.' });
    expect(await closingOf(offer)).toEqual({ title: 'Until soon, friend', body: 'We have booked a call.' });
  });

  it("are in the customer's language where the offer has it, else the offer's own, and the service's where both are empty", async () => {
    const offer = {
      offer_type: 'custom',
      accepted_body: 'We call you.',
      translations: { de: { accepted_body: 'Wir rufen Sie an.' } },
    };
    const closingIn = (locale: string) => closingOf(offer, { locale });
    expect(await closingIn('de')).toEqual({ title: 'Schön, dass Sie bleiben', body: 'Wir rufen Sie an.' });
    expect(await closingIn('fr')).toEqual({ title: 'Merci de rester', body: 'We call you.' });
  });

  it('leaves out a sentence with a price or a day that nobody knows, never shows braces', async () => {
    const accepted_body = 'Good. You pay {{price_then}} until {{until}}. It was {{price_now|more}}. Bye!';
    const offer = { offer_type: 'custom', accepted_body, accepted_title: 'Until {{until}}' };
    expect(await closingOf(offer)).toEqual({ title: 'Thank you for staying', body: 'Good. It was more. Bye!' });
  });

  it('is the same when the step is repeated and when the page is loaded again, and stays as it was shown', async () => {
    const { accepted, step, session_id } = await accept({ offer_type: 'custom', accepted_body: 'First.' });
    const { offers } = (await acme.client.get('/api/v1/public/offers')).body;
    await acme.client.put(`/api/v1/public/offers/${offers[0].id}`, { accepted_body: 'Second.' });
    expect(accepted.closing.body).toBe('First.');
    expect((await step({ node_key: 'offer_1', action: 'accept' })).closing).toEqual(accepted.closing);
    expect((await service.client.get(`${SESSION}/${session_id}`)).body.closing).toEqual(accepted.closing);
  });

  it('are words of the service for a session that an older version of the service recorded', async () => {
    const { session_id } = await accept({ offer_type: 'pause_subscription', accepted_body: 'Ours.' });
    const older = `UPDATE flow_sessions SET accepted_offer = accepted_offer - 'accepted_title' - 'accepted_body' WHERE session_id = $1`;
    await service.database.query(older, [session_id]);
    expect((await service.client.get(`${SESSION}/${session_id}`)).body.closing).toEqual({
      title: 'Thank you for staying',
      body: 'We are taking care of it.',
    });
  });

  it('is absent for whoever keeps the subscription without an offer, or cancels', async () => {
    const { slug } = await acme.publishedFlow();
    for (const action of ['keep', 'cancel']) {
      const { session_id } = (await service.client.post(`${SESSION}/init`, { flow_slug: slug })).body;
      const { body } = await service.client.post(`${SESSION}/${session_id}/step`, { action });
      expect(body).not.toHaveProperty('closing');
    }
  });

  it('is refused with a pointer where it is too long, or has a placeholder that is none', async () => {
    const { id } = await acme.offer();
    const faults = {
      accepted_title: 'x'.repeat(201),
      accepted_body: 'Hello {{first_name}}',
      translations: { de: { accepted_body: 'x'.repeat(5001) } },
    };
    const { status, body } = await acme.client.put(`/api/v1/public/offers/${id}`, faults);
    const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect([status, pointers.toSorted()]).toEqual([
      400,
      ['/accepted_body', '/accepted_title', '/translations/de/accepted_body'],
    ]);
  });
});
