import { pick } from '../../../src/platform/common/pick';
import { CONTENT_FIELDS } from './flow-fields';
import { orNull } from '../versions/or-null';
import type { FlowDraft, RetentionFlow } from '@retention-flow/client';

/** What is being edited of a flow beside what is live; null if nothing is. */
export function readDraft(client: RetentionFlow, id: string, signal?: AbortSignal): Promise<FlowDraft | null> {
  return orNull(client.flows.draft(id, signal && { signal }));
}

/** A flow as it would be if its draft were live. */
export function withDraft<T extends object>(flow: T, draft: FlowDraft): T {
  return { ...flow, ...pick(draft, CONTENT_FIELDS) };
}
