import type { CreateFlow, FlowDefinition, FlowNode, OfferListItem } from '@retention-flow/client';
import { isDiscount, OFFER_TYPES, type OfferType } from '../../../../../src/offers/terms/types';
import { composeDefinition } from '../../../../../src/flows/graph/simple-definition';

type Offer = Pick<OfferListItem, 'id' | 'offer_type'>;
type Made = Pick<CreateFlow, 'flow_mode' | 'offer_ids' | 'definition'>;

/** A flow to begin with. */
export interface Template {
  id: string;
  name: string;
  about: string;
  /** Makes it of a workspace's offers. Without offers, it leads straight to the last page. */
  make: (offers: Offer[]) => Made;
}

const DISCOUNTS = OFFER_TYPES.filter(isDiscount);

export const TEMPLATES: Template[] = [
  {
    id: 'simple',
    name: 'A survey, then offers',
    about: 'Everyone says why they leave, and sees your offers one after another.',
    make: (offers) => ({ flow_mode: 'simple', offer_ids: offers.slice(0, 2).map(({ id }) => id) }),
  },
  {
    id: 'by_reason',
    name: 'An offer for each reason',
    about: 'Too expensive: a discount. Not used: a pause. Something is missing: another offer. Others leave at once.',
    make: (offers) => {
      const choose = chooser(offers);
      const price = choose('price', DISCOUNTS);
      const pause = choose('pause', ['pause_subscription', 'plan_change']);
      const help = choose('help', ['custom', 'trial_extension', 'plan_change']);
      const ways: Record<string, FlowNode | undefined> = {
        too_expensive: price,
        switching: price,
        not_using: pause,
        missing_features: help,
        technical_issues: help,
      };
      return advanced('confirm', [price, pause, help], (value) => ways[value]?.key);
    },
  },
  {
    id: 'by_plan',
    name: 'An offer for each plan',
    about: 'Customers on the plans that you name see one offer, all others another one.',
    make: (offers) => {
      const choose = chooser(offers);
      const large = choose('large_plan', ['plan_change', 'custom', ...DISCOUNTS]);
      const small = choose('other_plan', DISCOUNTS);
      const when = { all: [{ attribute: 'plan', is: 'in' as const, value: ['team', 'business'] }] };
      const next = small?.key ?? 'confirm';
      const branch: FlowNode = {
        key: 'plan',
        type: 'branch',
        config: { ways: [{ when, next: large?.key ?? 'confirm' }] },
        next,
      };
      return advanced('plan', [branch, large, small]);
    },
  },
  {
    id: 'experiment',
    name: 'An experiment with a control',
    about: 'Compares two offers with each other, and with customers who see none.',
    make: (offers) => {
      const choose = chooser(offers);
      const a = choose('offer_a', DISCOUNTS);
      const b = choose('offer_b', DISCOUNTS);
      const ways = [
        { name: 'offer_a', weight: 40, next: a?.key ?? 'confirm' },
        { name: 'offer_b', weight: 40, next: b?.key ?? 'confirm' },
        { name: 'control', weight: 20, next: 'confirm', control: true },
      ];
      return advanced('experiment', [{ key: 'experiment', type: 'split', config: { ways } }, a, b]);
    },
  },
];

/** Makes nodes of offers that were not chosen before: of the first type that there is, or else of any. */
function chooser(offers: Offer[]) {
  const left = [...offers];
  return (key: string, types: OfferType[]): FlowNode | undefined => {
    const best = types.flatMap((type) => left.filter(({ offer_type }) => offer_type === type))[0] ?? left[0];
    if (!best) return undefined;
    left.splice(left.indexOf(best), 1);
    return { key, type: 'offer', config: { offer_id: best.id }, next: 'confirm' };
  };
}

/** A first page, the survey of reasons, then what is special, and the last page. */
function advanced(
  afterSurvey: string,
  inner: (FlowNode | undefined)[],
  targetOf: (value: string) => string | undefined = () => undefined,
): Made {
  const { entry, nodes } = composeDefinition([]);
  const [start, survey, confirm] = nodes as FlowNode[];
  const asked = survey as Extract<FlowNode, { type: 'survey' }>;
  const options = asked.config.options.map((option) => {
    const next = targetOf(option.value);
    return next === undefined ? option : { ...option, next };
  });
  const reason: FlowNode = { ...asked, config: { ...asked.config, options }, next: afterSurvey };
  const definition: FlowDefinition = {
    entry,
    nodes: [start, reason, ...inner.filter((node) => node !== undefined), confirm],
  };
  return { flow_mode: 'advanced', definition };
}
