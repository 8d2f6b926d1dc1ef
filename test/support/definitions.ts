import fc from 'fast-check';
import type { AnswerCondition, Condition, ConditionGroup } from '../../src/conditions/condition.dto';
import type { BranchNode, FlowDefinition, FlowNode, SurveyNode } from '../../src/flows/graph/flow-definition';

const OFFERS = 4;
export const OFFER_IDS = Array.from({ length: OFFERS }, (_, n) => `offer ${n}`);

/** What generated branches ask for, and some customers don't have, or have in another type. */
export const customerAttributes = fc.record(
  {
    plan: fc.constantFrom('free', 'pro', 'team', null, 10),
    seats: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constant('10')),
    trial: fc.boolean(),
  },
  { requiredKeys: [], noNullPrototype: true },
);

/** A condition before it is known which surveys are before its branch: the `survey`-th of them, or an attribute. */
type Draft = { attribute: Condition } | { survey: number; is: AnswerCondition['is']; options: number[] };
type DraftGroup<Member> = { name: 'all' | 'any'; members: Member[] };

const attributeConditions: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    attribute: fc.constant('plan'),
    is: fc.constantFrom('=', '!='),
    value: fc.constantFrom('free', 'pro', null, 10),
  }),
  fc.record({
    attribute: fc.constantFrom('plan', 'trial'),
    is: fc.constantFrom('in', 'not_in'),
    value: fc.array(fc.constantFrom('free', 'pro', true, false, null), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    attribute: fc.constantFrom('seats', 'plan'),
    is: fc.constantFrom('<', '<=', '>', '>='),
    value: fc.integer({ min: 0, max: 20 }),
  }),
  fc.record({ attribute: fc.constantFrom('plan', 'seats', 'unheard_of'), is: fc.constant('exists' as const) }),
);

const drafts: fc.Arbitrary<Draft> = fc.oneof(
  attributeConditions.map((attribute) => ({ attribute })),
  fc.record({
    survey: fc.nat(12),
    is: fc.constantFrom('=', '!=', 'in', 'not_in', 'includes', 'exists'),
    options: fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }),
  }),
);

function groups<Member>(members: fc.Arbitrary<Member>): fc.Arbitrary<DraftGroup<Member>> {
  return fc.record({
    name: fc.constantFrom('all', 'any'),
    members: fc.array(members, { minLength: 1, maxLength: 3 }),
  });
}

const whens = groups(fc.oneof(drafts, groups(drafts)));

const drawn = {
  ways: fc.array(fc.nat(20), { minLength: 1, maxLength: 4 }),
  comment: fc.constantFrom(undefined, 'optional' as const, 'required' as const),
  multiple: fc.constantFrom(undefined, false, true),
  whens: fc.array(whens, { minLength: 1, maxLength: 3 }),
  weights: fc.array(fc.constantFrom(0, 1, 50, 1000), { minLength: 5, maxLength: 5 }),
};

/** Graphs that lead on: every node points to later ones, the last are confirms, and what is not reached is left out. */
export const definitions: fc.Arbitrary<FlowDefinition> = fc
  .tuple(
    fc.array(fc.record({ type: fc.constantFrom('survey', 'offer', 'confirm', 'branch', 'split'), ...drawn }), {
      maxLength: 12,
    }),
    fc.record({ type: fc.constantFrom('start', 'survey'), ...drawn }),
  )
  .map(([rest, first]) => {
    const all = [first, ...rest];
    const key = (index: number) => `node_${index}`;
    const nodes: FlowNode[] = [];
    const groupsOf = new Map<string, (typeof first)['whens']>();
    for (const [index, { type, ways, comment, multiple, whens, weights }] of all.entries()) {
      const later = (way: number) => key(index + 1 + (way % (all.length - index)));
      const next = later(ways[0]);
      if (type === 'start') nodes.push({ key: key(index), type, config: { title: 'Hello' }, next });
      if (type === 'confirm') nodes.push({ key: key(index), type, config: { title: 'Sure?' } });
      if (type === 'offer') {
        nodes.push({ key: key(index), type, config: { offer_id: OFFER_IDS[ways[0] % OFFERS] }, next });
      }
      if (type === 'survey') {
        const options = [undefined, ...ways.slice(1)].map((other, option) => ({
          value: `option_${option}`,
          label: 'Because',
          ...(other !== undefined && { next: later(other) }),
        }));
        const config = {
          title: 'Why?',
          ...(comment && { comment }),
          ...(multiple !== undefined && { multiple }),
          options,
        };
        nodes.push({ key: key(index), type, config, next });
      }
      if (type === 'branch') {
        groupsOf.set(key(index), whens);
        const own = whens.map((_, way) => ({ when: { all: [] }, next: later(ways[way % ways.length] + way) }));
        nodes.push({ key: key(index), type, config: { ways: own }, next });
      }
      if (type === 'split') {
        const own = [...ways, ways[0] + 1].map((way, at) => ({
          name: `way_${at}`,
          weight: weights[at],
          next: later(way),
        }));
        if (own.every(({ weight }) => weight === 0)) own.at(-1)!.weight = 1;
        nodes.push({ key: key(index), type, config: { ways: own } });
      }
    }
    nodes.push({ key: key(all.length), type: 'confirm', config: { title: 'Sure?' } });
    const definition = { entry: key(0), nodes: reachable(nodes) };
    for (const node of definition.nodes) {
      if (node.type === 'branch') fillIn(node, groupsOf.get(node.key)!, surveysBefore(definition.nodes, node.key));
    }
    return definition;
  });

/** Graphs of which anything may be wrong. */
export const anyDefinitions: fc.Arbitrary<FlowDefinition> = definitions.chain((definition) =>
  fc
    .array(
      fc.record({
        node: fc.nat(20),
        field: fc.constantFrom('key', 'next', 'option', 'way', 'weights', 'answer', 'entry'),
        to: fc.nat(15),
      }),
      { maxLength: 3 },
    )
    .map((damages) => {
      const damaged = structuredClone(definition);
      for (const { node, field, to } of damages) {
        const target = `node_${to}`;
        const victim = damaged.nodes[node % damaged.nodes.length];
        if (field === 'entry') damaged.entry = target;
        else if (field === 'key') victim.key = target;
        else if (field === 'next' && 'next' in victim) victim.next = target;
        else if (field === 'option' && victim.type === 'survey') victim.config.options[0].next = target;
        else if (field === 'way' && (victim.type === 'branch' || victim.type === 'split')) {
          victim.config.ways[0].next = target;
        } else if (field === 'weights' && victim.type === 'split') {
          for (const way of victim.config.ways) way.weight = 0;
        } else if (field === 'answer' && victim.type === 'branch') {
          victim.config.ways[0].when = { all: [{ answer: target, is: '=', value: 'option_0' }] };
        }
      }
      return damaged;
    }),
);

/** The keys that a node leads to. */
function targetsOf(node: FlowNode): string[] {
  return [...JSON.stringify(node).matchAll(/"next":"(.*?)"/g)].map(([, target]) => target);
}

function reachable(nodes: FlowNode[]): FlowNode[] {
  const reached = new Set([nodes[0].key]);
  for (const node of nodes) {
    if (reached.has(node.key)) for (const target of targetsOf(node)) reached.add(target);
  }
  return nodes.filter(({ key }) => reached.has(key));
}

/** The surveys from which a way leads to the node. */
function surveysBefore(nodes: FlowNode[], key: string): SurveyNode[] {
  const before = new Set([key]);
  for (const node of nodes.toReversed()) {
    if (targetsOf(node).some((target) => before.has(target))) before.add(node.key);
  }
  return nodes.filter((node) => node.type === 'survey').filter((survey) => before.has(survey.key));
}

function fillIn(branch: BranchNode, groups: DraftGroup<Draft | DraftGroup<Draft>>[], surveys: SurveyNode[]): void {
  const conditionOf = (draft: Draft): Condition => {
    if ('attribute' in draft) return draft.attribute;
    if (surveys.length === 0) return { attribute: 'trial', is: '=', value: true };
    const { key, config } = surveys[draft.survey % surveys.length];
    const values = draft.options.map((option) => config.options[option % config.options.length].value);
    const { is } = draft;
    if (is === 'exists') return { answer: key, is };
    return { answer: key, is, value: is === 'in' || is === 'not_in' ? values : values[0] };
  };
  const groupOf = <Member>(
    { name, members }: DraftGroup<Member>,
    of: (member: Member) => Condition | ConditionGroup,
  ) => (name === 'all' ? { all: members.map(of) } : { any: members.map(of) });
  for (const [index, way] of branch.config.ways.entries()) {
    way.when = groupOf(groups[index], (member) =>
      'members' in member ? groupOf(member, conditionOf) : conditionOf(member),
    );
  }
}
