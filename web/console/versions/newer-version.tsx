import type { FlowDraft } from '@retention-flow/client';

/** Warns that publishing a draft replaces a version that its author may not have seen. */
export function NewerVersion({ draft }: { draft: Pick<FlowDraft, 'based_on_version' | 'current_version'> }) {
  if (draft.based_on_version === draft.current_version) return null;
  return (
    <p class="notice warning">
      Version {draft.current_version} went live after this draft was begun. Publishing the draft replaces it.
    </p>
  );
}
