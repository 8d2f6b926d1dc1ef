import type { FlowDefinition } from '@retention-flow/client';
import { offersIn } from '../preview/choices';
import { href } from '../shell/route';

/** The part of a flow that a JSON Pointer of the review leads to, in words. */
export function reviewPlace(pointer: string, { nodes }: FlowDefinition): string {
  const [field, inner, index] = pointer.split('/').slice(1);
  if (field === 'exit') return 'The exit page';
  if (field === 'install') return 'Your page';
  if (field === 'survey') return 'The survey';
  if (field === 'offer_ids') return `Offer ${Number(inner) + 1}`;
  const node = inner === 'nodes' ? nodes[Number(index)] : undefined;
  if (!node) return 'The flow';
  return 'title' in node.config ? `“${node.config.title}”` : `The offer at “${node.key}”`;
}

interface Reviewed {
  flowId: string;
  definition: FlowDefinition;
  /** Whether it is shown in the editor of the flow. */
  isDraft: boolean;
}

/**
 * Where that part is changed; undefined in the editor for what is on the same page.
 */
export function reviewLink(pointer: string, { flowId, definition, isDraft }: Reviewed): string | undefined {
  const [field, inner, index] = pointer.split('/').slice(1);
  const node = inner === 'nodes' ? definition.nodes[Number(index)] : undefined;
  const offer =
    field === 'offer_ids' ? offersIn(definition)[Number(inner)] : node?.type === 'offer' && node.config.offer_id;
  if (offer) return href(`/offers/${offer}`);
  if (field === 'exit' || field === 'install') return href(`/flows/${flowId}`, { tab: 'install' });
  return isDraft ? undefined : href(`/flows/${flowId}/edit`);
}
