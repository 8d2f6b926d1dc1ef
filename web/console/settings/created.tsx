import type { ComponentChildren } from 'preact';
import { Dialog } from '../ui/dialog';
import { Secret } from '../ui/secret';

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
    <Dialog title={title} onClose={onClose}>
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
