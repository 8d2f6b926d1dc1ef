import fc from 'fast-check';
import type { FlowDefinition, FlowNode } from '../../src/flows/flow-definition';

const OFFERS = 4;
export const OFFER_IDS = Array.from({ length: OFFERS }, (_, n) => `offer ${n}`);

/** Graphs that lead on: every node points to later ones, the last are confirms, and what is not reached is left out. */
export const definitions: fc.Arbitrary<FlowDefinition> = fc
  .tuple(
    fc.array(fc.record({ type: fc.constantFrom('survey', 'offer', 'confirm'), ways: ways(), comment: comments() }), {
      maxLength: 12,
    }),
    fc.record({ type: fc.constantFrom('start', 'survey'), ways: ways(), comment: comments() }),
  )
  .map(([rest, first]) => {
    const drafts = [first, ...rest, { type: 'confirm' as const, ways: [], comment: undefined }];
    const key = (index: number) => `node_${index}`;
    const later = (index: number, way = 0) => key(index + 1 + (way % (drafts.length - 1 - index)));
    const nodes = drafts.map(({ type, ways: [way, ...others], comment }, index): FlowNode => {
      const last = index === drafts.length - 1;
      if (type === 'confirm' || last) return { key: key(index), type: 'confirm', config: { title: 'Sure?' } };
      const next = later(index, way);
      if (type === 'start') return { key: key(index), type, config: { title: 'Hello' }, next };
      if (type === 'offer') {
        return { key: key(index), type, config: { offer_id: OFFER_IDS[(way ?? 0) % OFFERS] }, next };
      }
      const options = [undefined, ...others].map((other, option) => ({
        value: `option_${option}`,
        label: 'Because',
        ...(other !== undefined && { next: later(index, other) }),
      }));
      return { key: key(index), type: 'survey', config: { title: 'Why?', ...(comment && { comment }), options }, next };
    });
    return { entry: key(0), nodes: reachable(nodes) };
  });

/** Graphs of which anything may be wrong. */
export const anyDefinitions: fc.Arbitrary<FlowDefinition> = definitions.chain((definition) =>
  fc
    .array(fc.record({ node: fc.nat(20), field: fc.constantFrom('key', 'next', 'option', 'entry'), to: fc.nat(15) }), {
      maxLength: 3,
    })
    .map((damages) => {
      const damaged = structuredClone(definition);
      for (const { node, field, to } of damages) {
        const target = `node_${to}`;
        const victim = damaged.nodes[node % damaged.nodes.length];
        if (field === 'entry') damaged.entry = target;
        else if (field === 'key') victim.key = target;
        else if (field === 'next' && victim.type !== 'confirm') victim.next = target;
        else if (field === 'option' && victim.type === 'survey') victim.config.options[0].next = target;
      }
      return damaged;
    }),
);

function ways() {
  return fc.array(fc.nat(20), { minLength: 1, maxLength: 4 });
}

function comments() {
  return fc.constantFrom(undefined, 'optional' as const, 'required' as const);
}

function reachable(nodes: FlowNode[]): FlowNode[] {
  const reached = new Set([nodes[0].key]);
  for (const node of nodes) {
    if (node.type === 'confirm' || !reached.has(node.key)) continue;
    reached.add(node.next);
    if (node.type === 'survey') for (const { next } of node.config.options) if (next) reached.add(next);
  }
  return nodes.filter(({ key }) => reached.has(key));
}
