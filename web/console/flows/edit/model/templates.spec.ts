import { faultsOf } from '../../../../../src/flows/graph/flow-faults';
import { TEMPLATES } from './templates';

const TYPES = ['pause_subscription', 'custom', 'discount_fixed', 'discount_percentage'] as const;
const offers = (count: number) =>
  TYPES.slice(0, count).map((offer_type) => ({ id: `019a9f3c-${offer_type}`, offer_type }));

describe.each(TEMPLATES)('The template “$name”', ({ make }) => {
  it.each([0, 1, 2, 3, 4])('passes every rule with %d offers', (count) => {
    const { definition } = make(offers(count));
    if (definition) expect(faultsOf(definition)).toEqual([]);
  });
});

it('Each reason leads to an offer that fits', () => {
  const { definition } = TEMPLATES[1].make(offers(4));
  const survey = definition!.nodes.find(({ type }) => type === 'survey')!;
  const targets = (survey.config as { options: { value: string; next?: string }[] }).options;
  expect(Object.fromEntries(targets.map(({ value, next }) => [value, next]))).toEqual({
    too_expensive: 'price',
    switching: 'price',
    not_using: 'pause',
    missing_features: 'help',
    technical_issues: 'help',
    other: undefined,
  });
});

it('A pause is for those who do not use it, though another plan is newer', () => {
  const types = ['plan_change', 'discount_fixed', 'pause_subscription', 'discount_percentage'] as const;
  const { definition } = TEMPLATES[1].make(types.map((offer_type) => ({ id: offer_type, offer_type })));
  const offered = definition!.nodes.flatMap((node) =>
    node.type === 'offer' ? [[node.key, node.config.offer_id]] : [],
  );
  expect(Object.fromEntries(offered)).toEqual({
    price: 'discount_percentage',
    pause: 'pause_subscription',
    help: 'plan_change',
  });
});
