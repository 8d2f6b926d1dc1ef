import type { FlowDefinition } from '@retention-flow/client';
import { href } from '../shell/route';

/** The part of a flow that a JSON Pointer of the review leads to, in words. */
export function reviewPlace(pointer: string, { nodes }: FlowDefinition): string {
  const [field, inner, index] = pointer.split('/').slice(1);
  if (field === 'exit') return 'The exit page';
  if (field === 'button' || field === 'cancel_label') return 'Your page';
  if (field === 'survey') return 'The survey';
  if (field === 'offer_ids') return `Offer ${Number(inner) + 1}`;
  const node = inner === 'nodes' ? nodes[Number(index)] : undefined;
  if (!node) return 'The flow';
  return 'title' in node.config ? `“${node.config.title}”` : `The offer at “${node.key}”`;
}

/** Where that part is changed; undefined for what is not in the console, and in the editor for what is on the same page. */
export function reviewLink(pointer: string, flowId: string, isEditor: boolean): string | undefined {
  const [field] = pointer.split('/').slice(1);
  if (field === 'button' || field === 'cancel_label') return undefined;
  if (field === 'exit') return href(`/flows/${flowId}`, { tab: 'install' });
  return isEditor ? undefined : href(`/flows/${flowId}/edit`);
}
