import { changesOf, createOffer, NEW_OFFER, type OfferDraft } from './offer-draft';
import { OFFER_TYPES, withExample } from './offer-examples';

describe('An offer that is changed', () => {
  const before: OfferDraft = { ...withExample(NEW_OFFER, 'custom'), metadata: [{ name: 'coupon', value: 'a' }] };

  it('sends nothing if nothing is changed', () => {
    expect(changesOf(before, { ...before, metadata: [...before.metadata, { name: '', value: '' }] })).toEqual({});
  });

  it('sends what is changed, also what is emptied', () => {
    expect(changesOf(before, { ...before, body: '', metadata: [] })).toEqual({ body: '', metadata: {} });
  });
});

describe('A new offer', () => {
  it('leaves what is empty to the service', () =>
    expect(createOffer({ ...NEW_OFFER, name: 'Stay' })).toEqual({ name: 'Stay', offer_type: 'discount_percentage' }));

  it.each(OFFER_TYPES)('has an example as %s', (type) => {
    const { name, heading, cta_accept, offer_type } = withExample(NEW_OFFER, type);
    expect([name !== '', heading !== '', cta_accept !== '', offer_type]).toEqual([true, true, true, type]);
  });

  it('becomes another example, except for what somebody has written', () => {
    const written = { ...withExample(NEW_OFFER, 'discount_fixed'), heading: 'My own' };
    expect(withExample(written, 'custom')).toEqual({ ...withExample(NEW_OFFER, 'custom'), heading: 'My own' });
  });
});
