import type { ComponentChildren } from 'preact';
import { Dialog } from './dialog';
import { Secret } from './secret';

interface CreatedProps {
  title: string;
  /** The name of what was created. */
  label: string;
  secret: string | null;
  onClose: () => void;
  children: ComponentChildren;
}

/** Says that a key was created, and shows its secret this once. */
export function Created({ title, label, secret, onClose, children }: CreatedProps) {
  return (
    <Dialog title={title} isHeld={secret !== null} onClose={onClose}>
      <p>{children}</p>
      {secret !== null && <Secret label={label} value={secret} />}
      <div class="actions">
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
