import type { FlowDefinition } from '@retention-flow/client';
import fc from 'fast-check';
import { definitions } from '../../../../../test/support/definitions';
import { DtoPipe } from '../../../../../src/platform/api/fields/validation';
import { UpdateFlowDraftDto } from '../../../../../src/flows/dto/flow-draft.dto';
import { faultsOf } from '../../../../../src/flows/graph/flow-faults';
import { exitsOf, redirect } from './exits';
import { graphOf } from './shape';
import { faultsInWords } from './fault-words';
import { heirOf, insert, remove, rename, targetOf, withFirstPage, write } from './graph-edits';
import { beginning, changed, redone, undone } from './history';
import { copyOf, freeKey, newNode, NEW_TYPES } from './new-nodes';
import { inOrder, possibleTargets } from './walk';

const OFFER = '019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b';

/** One thing that somebody does in the editor; numbers choose among what there is. */
const edits = fc.record({
  kind: fc.constantFrom('insert', 'remove', 'then', 'paste', 'rename', 'text', 'first page'),
  node: fc.nat(50),
  exit: fc.nat(20),
  other: fc.nat(50),
});
type Edit = typeof edits extends fc.Arbitrary<infer T> ? T : never;

const pick = <T>(list: T[], number: number): T | undefined => list[number % Math.max(1, list.length)];

function done(graph: FlowDefinition, { kind, node: place, exit: way, other }: Edit): FlowDefinition {
  const node = pick(graph.nodes, place)!;
  const exit = pick(exitsOf(node), way);
  const arrow = exit && { from: node.key, paths: [exit.path] };
  switch (kind) {
    case 'insert': {
      const [type] = pick(NEW_TYPES, other)!;
      return arrow ? insert(graph, arrow, newNode(graph, type, targetOf(graph, arrow), OFFER)) : graph;
    }
    case 'paste': {
      const copied = pick(graph.nodes, other)!;
      return arrow ? insert(graph, arrow, copyOf(graph, copied, targetOf(graph, arrow))) : graph;
    }
    case 'then': {
      const target = pick(possibleTargets(graph, node.key), other)?.key;
      return arrow && target !== undefined ? redirect(graph, arrow, target) : graph;
    }
    case 'remove':
      return remove(graph, node.key);
    case 'rename':
      return rename(graph, node.key, freeKey(graph, `key_${other}`));
    case 'text':
      return 'title' in node.config ? write(graph, node.key, ['config', 'title'], other % 5 ? 'A title' : '') : graph;
    default:
      return graph.nodes.some(({ type }) => type === 'start') ? graph : withFirstPage(graph);
  }
}

/** With offers that are ids, as the service has them. */
const graphs = definitions.map(
  ({ entry, nodes }) =>
    ({
      entry,
      nodes: nodes.map((node) => (node.type === 'offer' ? { ...node, config: { offer_id: OFFER } } : node)),
    }) as FlowDefinition,
);
const histories = fc.tuple(graphs, fc.array(edits, { minLength: 1, maxLength: 25 }));

/** What an edit can leave wrong, of all that the service can find. */
const FAULTS = [
  'cannot be reached',
  'is not a survey before this branch',
  'is not the key of a survey',
  'must be a confirm, because the arm is the control',
  'must not be an offer, a branch or a split',
  'must not be blank',
  'start is only for the entry',
];

it('Whatever is edited, the service takes it as a draft, and names in words what is wrong', () => {
  const pipe = new DtoPipe();
  fc.assert(
    fc.property(histories, ([first, all]) => {
      let graph = first;
      for (const edit of all) {
        const next = done(graph, edit);
        if (next.nodes.length <= 50) graph = next;
        const faults = faultsOf(graph);
        expect(FAULTS).toEqual(expect.arrayContaining(faults.map(({ message }) => message)));
        const inside = faults.map((fault) => ({ ...fault, pointer: `/definition${fault.pointer}` }));
        const keys = graph.nodes.map(({ key }) => key);
        for (const { key, words } of faultsInWords(inside, graph)) {
          expect(keys).toContain(key);
          expect(words).not.toMatch(/undefined|\/|confirm/);
        }
      }
      expect(graphOf(graph)).toBe(graph);
      const body = { flow_mode: 'advanced', definition: JSON.parse(JSON.stringify(graph)) as unknown };
      pipe.transform(body, { type: 'body', metatype: UpdateFlowDraftDto });
    }),
    { numRuns: 300 },
  );
});

it('Undoing everything leads back to the start, and redoing it to the end', () => {
  fc.assert(
    fc.property(histories, ([first, all]) => {
      let history = beginning(first);
      for (const edit of all) history = changed(history, done(history.now, edit));
      const last = history.now;
      for (const _ of all) history = undone(history);
      expect(history.now).toBe(first);
      expect(undone(history)).toBe(history);
      for (const _ of all) history = redone(history);
      expect(history.now).toBe(last);
    }),
  );
});

it('A node that is inserted and removed again leaves the graph as it was', () => {
  fc.assert(
    fc.property(graphs, edits, (graph, { node: place, exit: way, other }) => {
      const node = pick(graph.nodes, place)!;
      const exit = pick(exitsOf(node), way);
      const [type] = pick(NEW_TYPES.slice(0, 4), other)!;
      // An offer in an arm may lead elsewhere than the arm did.
      if (exit?.target === undefined || (node.type === 'split' && type === 'offer')) return;
      const arrow = { from: node.key, paths: [exit.path] };
      const added = newNode(graph, type, exit.target, OFFER);
      const back = remove(insert(graph, arrow, added), added.key);
      expect(back).toEqual(graph);
    }),
  );
});

it('All nodes are in the list once, each behind all that lead to it', () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const keys = inOrder(graph).map(({ key }) => key);
      expect(keys.toSorted()).toEqual(graph.nodes.map(({ key }) => key).toSorted());
      for (const node of graph.nodes) {
        for (const { target } of exitsOf(node)) {
          if (target !== undefined) expect(keys.indexOf(target)).toBeGreaterThan(keys.indexOf(node.key));
        }
      }
    }),
  );
});

it('Only the last page of a graph with one cannot be removed', () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const lastPages = graph.nodes.filter(({ type }) => type === 'confirm');
      for (const { key, type } of graph.nodes) {
        expect(heirOf(graph, key) === undefined).toBe(type === 'confirm' && lastPages.length === 1);
      }
    }),
  );
});
