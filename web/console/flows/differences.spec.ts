import type { Content } from './differences';
import { differencesOf } from './differences';

const OFFERS = new Map([['a', { name: 'Half price' }]]);
const BEFORE: Content = {
  name: 'Leaving',
  product_name: 'Pro',
  cancellation_url: 'https://acme.example',
  definition: {
    entry: 'why',
    nodes: [
      {
        key: 'why',
        type: 'survey',
        config: { title: 'Why?', options: [{ value: 'price', label: 'Too expensive' }] },
        next: 'sure',
      },
      { key: 'sure', type: 'confirm', config: { title: 'Sure?' } },
    ],
  },
};
const [why, sure] = BEFORE.definition.nodes;
const withNodes = (...nodes: Content['definition']['nodes']) => ({ ...BEFORE, definition: { entry: 'why', nodes } });

it('The same content has no difference', () => expect(differencesOf(BEFORE, BEFORE, OFFERS)).toEqual([]));

it('A text is told with what it was, and only where it is', () =>
  expect(
    differencesOf(BEFORE, withNodes(why, { ...sure, config: { title: 'Really?' } } as typeof sure), OFFERS),
  ).toEqual([
    { title: 'Last page “Really?”', is: 'changed', rows: [{ what: 'Title', before: 'Sure?', after: 'Really?' }] },
  ]));

it('A node that is new is told with all that it says', () => {
  const offer = { key: 'half', type: 'offer' as const, config: { offer_id: 'a' }, next: 'sure' };
  const [added] = differencesOf(BEFORE, withNodes(why, sure, offer), OFFERS);
  expect(added).toEqual({
    title: 'Offer “Half price”',
    is: 'added',
    rows: [
      { what: 'Offer', before: '', after: 'Half price' },
      { what: 'Then', before: '', after: '→ Sure?' },
    ],
  });
});
