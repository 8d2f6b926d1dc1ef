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

it('The kind of a flow, the order of its answers and what an experiment draws by are told, too', () => {
  const options = [
    { value: 'price', label: 'Price' },
    { value: 'other', label: 'Other' },
  ];
  const asking = (all: typeof options) => ({
    key: 'why',
    type: 'survey' as const,
    config: { title: 'Why?', options: all },
    next: 'test',
  });
  const split = (salt?: string) => ({
    key: 'test',
    type: 'split' as const,
    config: { ways: [{ name: 'a', weight: 1, next: 'sure' }], ...(salt && { salt }) },
  });
  const of = (flow_mode: Content['flow_mode'], all: typeof options, salt?: string) =>
    ({ ...withNodes(asking(all), split(salt), sure), flow_mode }) as Content;
  const rows = differencesOf(of('simple', options), of('advanced', options.toReversed(), 'new'), OFFERS).flatMap(
    (difference) => difference.rows,
  );
  expect(rows).toEqual([
    { what: 'Kind of flow', before: 'simple', after: 'advanced' },
    { what: 'Order of the answers', before: 'price, other', after: 'other, price' },
    { what: 'Draws by', before: 'its key', after: 'new' },
  ]);
});

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
