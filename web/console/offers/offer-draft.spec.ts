import { OF_OFFER, placeholderFault } from '../../../src/platform/text/placeholders';
import { changesOf, createOffer, NEW_OFFER, type OfferDraft } from './offer-draft';
import { changed, withExample } from './offer-examples';
import { OFFER_TYPES } from './offer-types';

describe('An offer that is changed', () => {
  const before: OfferDraft = { ...withExample(NEW_OFFER, 'custom'), metadata: [{ name: 'coupon', value: 'a' }] };

  it('sends nothing if nothing is changed', () => {
    expect(changesOf(before, { ...before, metadata: [...before.metadata, { name: '', value: '' }] })).toEqual({});
  });

  it('sends what is changed, also what is emptied', () => {
    expect(changesOf(before, { ...before, body: '', metadata: [] })).toEqual({ body: '', metadata: {} });
  });

  it('sends a limit that is typed, and null for one that is emptied', () => {
    const limited = { ...before, limit: { accepted: '1', within_days: '180' } };
    const unlimited = { ...before, limit: { accepted: '', within_days: '' } };
    expect(changesOf(before, limited)).toEqual({ limit: { accepted: 1, within_days: 180 } });
    expect(changesOf(limited, unlimited)).toEqual({ limit: null });
    expect(changesOf(limited, limited)).toEqual({});
  });
});

describe('A new offer', () => {
  it('leaves what is empty to the service', () =>
    expect(createOffer({ ...NEW_OFFER, name: 'Stay' })).toEqual({
      name: 'Stay',
      offer_type: 'discount_percentage',
      limit: null,
    }));

  it('may be accepted once a year if billing applies it, unless somebody types another limit, or none', () => {
    const once = { accepted: '1', within_days: '365' };
    const example = withExample(NEW_OFFER, 'pause_subscription');
    expect(example.limit).toEqual(once);
    expect(withExample(example, 'custom').limit).toEqual(NEW_OFFER.limit);
    const typed = changed(example, { limit: { ...once, accepted: '2' } });
    expect(withExample(typed, 'custom').limit).toEqual(typed.limit);
    const none = changed(example, { limit: NEW_OFFER.limit });
    expect(createOffer(changed(none, { name: 'Stay' }))).toMatchObject({ limit: null });
  });

  it.each(OFFER_TYPES)('has an example as %s', (type) => {
    const { name, heading, cta_accept, offer_type } = withExample(NEW_OFFER, type);
    expect([name !== '', heading !== '', cta_accept !== '', offer_type]).toEqual([true, true, true, type]);
  });

  it('becomes another example, except for what somebody has written', () => {
    const written = { ...withExample(NEW_OFFER, 'discount_fixed'), heading: 'My own' };
    expect(withExample(written, 'custom')).toEqual({ ...withExample(NEW_OFFER, 'custom'), heading: 'My own' });
  });

  it.each(OFFER_TYPES)('has a name that follows its value and duration while they are typed, as %s', (type) => {
    let draft = withExample(NEW_OFFER, type);
    const { offer_value, offer_duration } = draft;
    for (const value of ['', '4', '$&']) draft = changed(draft, { offer_value: value });
    draft = changed(draft, { offer_duration: 'a year' });
    const { name, heading, body, cta_accept } = draft;
    const texts = [name, heading, body, cta_accept].join();
    for (const old of [offer_value, offer_duration].filter(Boolean)) expect(texts).not.toContain(old);
    for (const text of [heading, body, cta_accept]) expect(placeholderFault(text, OF_OFFER)).toBeUndefined();
  });

  it('keeps what somebody has written when its value changes', () => {
    const written = changed(withExample(NEW_OFFER, 'discount_percentage'), {
      name: 'Ours',
      heading: 'Stay for 30% less!',
    });
    const { name, heading, cta_accept } = changed(written, { offer_value: '40%' });
    expect([name, heading, cta_accept]).toEqual(['Ours', 'Stay for 30% less!', 'Take {{value}} off']);
  });
});
