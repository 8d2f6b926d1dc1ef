import { pick } from '../../../src/platform/common/pick';
import { CONTENT_FIELDS } from './flow-fields';
import { ApiError, type FlowDraft, type RetentionFlow } from '@retention-flow/client';

/** What is being edited of a flow beside what is live; null if nothing is. */
export async function readDraft(client: RetentionFlow, id: string, signal?: AbortSignal): Promise<FlowDraft | null> {
  try {
    return await client.flows.draft(id, signal && { signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** A flow as it would be if its draft were live. */
export function withDraft<T extends object>(flow: T, draft: FlowDraft): T {
  return { ...flow, ...pick(draft, CONTENT_FIELDS) };
}
