import type { Flow } from '@retention-flow/client';
import { bodyOf, changesOf, draftOf, merged, split } from './draft';

const DEFINITION = { entry: 'confirm', nodes: [{ key: 'confirm', type: 'confirm', config: { title: 'Leave?' } }] };

const FLOW = {
  id: '1',
  name: 'Leaving',
  product_name: 'Pro',
  cancellation_url: 'https://acme.example',
  description: '',
  estimated_monthly_value: 49.9,
  notification_email: null,
  metadata: { plan: 'pro' },
  flow_mode: 'simple',
  status: 'published',
  offer_ids: ['a', 'b'],
  survey: null,
  locale: 'en',
  definition: DEFINITION,
} as unknown as Flow;

describe('What is sent of a form', () => {
  it('is nothing if nothing was changed', () => {
    expect(changesOf(FLOW, bodyOf(draftOf(FLOW)))).toEqual({});
    const advanced: Flow = { ...FLOW, flow_mode: 'advanced' };
    const reordered = { nodes: [{ config: { title: 'Leave?' }, type: 'confirm', key: 'confirm' }], entry: 'confirm' };
    expect(changesOf(advanced, bodyOf({ ...draftOf(advanced), definition: reordered }))).toEqual({});
  });

  it('is what was changed, and null for a field that was emptied', () => {
    const draft = { ...draftOf(FLOW), name: 'Going', estimated_monthly_value: '', offer_ids: ['b', 'a'] };
    expect(changesOf(FLOW, bodyOf(draft))).toEqual({
      name: 'Going',
      estimated_monthly_value: null,
      offer_ids: ['b', 'a'],
    });
  });

  it('has the graph of an advanced flow and never its offers', () => {
    const draft = { ...draftOf(FLOW), flow_mode: 'advanced' as const, offer_ids: [], definition: DEFINITION };
    expect(changesOf(FLOW, bodyOf(draft))).toEqual({ flow_mode: 'advanced' });
    const definition = { ...DEFINITION, entry: 'start' };
    expect(changesOf(FLOW, bodyOf({ ...draft, definition }))).toEqual({ flow_mode: 'advanced', definition });
  });
});

it('Only what customers see is kept in a draft', () =>
  expect(split({ name: 'x', offer_ids: [], description: 'x', metadata: {} })).toEqual([
    { name: 'x', offer_ids: [] },
    { description: 'x', metadata: {} },
  ]));

it('One’s own changes are put upon what somebody else saved', () => {
  const before = draftOf(FLOW);
  const theirs = { ...before, name: 'Theirs', product_name: 'Max' };
  expect(merged(before, { ...before, name: 'Mine', offer_ids: [] }, theirs)).toEqual({
    ...before,
    name: 'Mine',
    product_name: 'Max',
    offer_ids: [],
  });
});
