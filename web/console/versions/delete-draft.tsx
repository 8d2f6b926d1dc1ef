import { Confirm } from '../ui/dialog';

/** Asks before a draft is deleted. */
export function DeleteDraft({ onConfirm, onClose }: { onConfirm: () => Promise<void>; onClose: () => void }) {
  return (
    <Confirm title="Delete this draft?" verb="Delete now" isDangerous onConfirm={onConfirm} onClose={onClose}>
      <p>What is live stays as it is.</p>
    </Confirm>
  );
}
