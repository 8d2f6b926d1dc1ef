import { jsonPointer, Problem } from '../common/problem';
import { composeDefinition, MAX_OFFERS, offersOf } from './flow-definition';
import { faultsOf } from './flow-faults';
import type { FlowContent } from './flow-version.entity';

/** Changes that a request makes to a flow's content. */
export type ContentChanges = Partial<FlowContent>;

/**
 * The content of a flow after changes. In simple mode the service composes the graph; in advanced mode it is the graph in
 * the request, or else the current one. Throws a 400 with a pointer to each fault of a graph in the request, and to a field
 * that the flow's mode doesn't take.
 */
export function contentOf(
  current: Omit<FlowContent, 'definition'> & ContentChanges,
  changes: ContentChanges,
): FlowContent {
  const { name, product_name, cancellation_url, flow_mode, offer_ids, definition } = { ...current, ...changes };
  const rest = { name, product_name, cancellation_url, flow_mode };
  if (flow_mode === 'simple') {
    if (changes.definition)
      throw Problem.invalid([{ pointer: '/definition', message: 'is only for an advanced flow' }]);
    if (offer_ids.length > MAX_OFFERS) {
      const message = `can't be simple with the ${offer_ids.length} offers of the graph: send offer_ids, ${MAX_OFFERS} at most`;
      throw Problem.invalid([{ pointer: '/flow_mode', message }]);
    }
    return { ...rest, offer_ids, definition: composeDefinition(product_name, offer_ids) };
  }
  if (changes.offer_ids) throw Problem.invalid([{ pointer: '/offer_ids', message: 'is only for a simple flow' }]);
  const faults = changes.definition ? faultsOf(changes.definition) : [];
  if (faults.length > 0) {
    throw Problem.invalid(faults.map(({ pointer, message }) => ({ pointer: `/definition${pointer}`, message })));
  }
  const graph = definition ?? composeDefinition(product_name, offer_ids);
  return { ...rest, offer_ids: [...new Set(offersOf(graph).map(({ id }) => id))], definition: graph };
}

/** The offers that the changes name, each with the JSON Pointer to its place in the request. */
export function offersNamedIn({ offer_ids = [], definition }: ContentChanges): { id: string; pointer: string }[] {
  return [
    ...offer_ids.map((id, index) => ({ id, pointer: jsonPointer('offer_ids', index) })),
    ...(definition ? offersOf(definition).map(({ id, pointer }) => ({ id, pointer: `/definition${pointer}` })) : []),
  ];
}
