import { holds, type KnownOfCustomer } from '../../conditions/holds';
import type { SilentNode } from '../../flows/graph/flow-definition';
import { armFor } from '../../flows/graph/arms';
import type { Draws } from '../../flows/graph/draws';

/** What is known of a customer and decides their path. */
export interface Known extends KnownOfCustomer {
  /** Which version drew anew last, by the key of the split. */
  draws: Draws;
  /** The arms of an erased customer, by the key of the split. */
  arms?: Record<string, string> | null;
}

/**
 * Where a silent node leads: the arm of a split, or the first condition of a branch that holds, named by its index, or
 * `next`.
 *
 * @param visitor the id of the customer, or of the session without one
 */
export function pathThrough(node: SilentNode, visitor: string, known: Known): { name: string; next: string } {
  if (node.type === 'split') {
    return node.config.ways.find(({ name }) => name === known.arms?.[node.key]) ?? armFor(node, visitor, known.draws);
  }
  const index = node.config.ways.findIndex(({ when }) => holds(when, known));
  return index < 0 ? { name: 'next', next: node.next } : { name: String(index), next: node.config.ways[index].next };
}
