import { serviceForAll, workspaceForEach } from '../support/service';

const SESSION = '/api/v1/runtime/session';
const OFFERS = '/api/v1/public/offers';
const UPGRADE = 'https://acme.example/upgrade?from=flow';

describe('The accept_url of an offer', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const step = (id: string, body: object) => service.client.post(`${SESSION}/${id}/step`, body);
  const accept = (id: string) => step(id, { node_key: 'offer_1', action: 'accept' });

  /** A session at an offer, and what the customer sees. */
  async function atOffer(offer: { id: string }) {
    const { slug } = await acme.publishedFlow({ offer_ids: [offer.id] });
    const { body } = await service.client.post(`${SESSION}/init`, { flow_slug: slug });
    const id = body.session_id as string;
    await step(id, { node_key: 'start', action: 'continue' });
    return { id, node: (await step(id, { node_key: 'reason', action: 'answer', option: 'other' })).body.node };
  }

  it('is where a customer goes who has accepted, also after a reload, and nobody sees it before', async () => {
    const offer = await acme.offer({ offer_type: 'plan_change', accept_url: UPGRADE });
    const { id, node } = await atOffer(offer);
    expect(node.config).toMatchObject({ offer_type: 'plan_change' });
    expect(JSON.stringify(node)).not.toContain(UPGRADE);
    const { body } = await accept(id);
    expect(body).toMatchObject({ status: 'saved', redirect_url: UPGRADE, accepted_offer: { id: offer.id } });
    expect((await accept(id)).body).toEqual(body);
    expect((await service.client.get(`${SESSION}/${id}`)).body).toMatchObject({ redirect_url: UPGRADE });
    const record = (await acme.client.get(`/api/v1/public/sessions/${id}`)).body;
    expect(record.accepted_offer).toMatchObject({ offer_type: 'plan_change', accept_url: UPGRADE });
  });

  it('is the one that was shown, whatever becomes of the offer', async () => {
    const offer = await acme.offer({ accept_url: UPGRADE });
    const { id } = await atOffer(offer);
    await acme.client.put(`${OFFERS}/${offer.id}`, { accept_url: null });
    expect((await acme.client.get(`${OFFERS}/${offer.id}`)).body.accept_url).toBeNull();
    expect((await accept(id)).body.redirect_url).toBe(UPGRADE);
    const later = await atOffer(offer);
    expect((await accept(later.id)).body).toMatchObject({ status: 'saved', redirect_url: null });
  });

  it('leads nobody anywhere who keeps the subscription without the offer', async () => {
    const offer = await acme.offer({ accept_url: UPGRADE });
    const { id } = await atOffer(offer);
    expect((await step(id, { action: 'keep' })).body).toMatchObject({ status: 'saved', redirect_url: null });
    const { id: other } = await atOffer(offer);
    expect((await step(other, { action: 'cancel' })).body.redirect_url).toBe('https://acme.example/cancel');
  });

  it.each([
    'http://acme.example',
    'javascript:alert(1)',
    '/upgrade',
    '',
    'https://a:b@acme.example',
    `https://a/${'x'.repeat(2040)}`,
    1,
  ])('is refused as %j', async (accept_url) => {
    const { id } = await acme.offer();
    const { status, body } = await acme.client.put(`${OFFERS}/${id}`, { accept_url });
    expect([status, body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([400, ['/accept_url']]);
  });
});
