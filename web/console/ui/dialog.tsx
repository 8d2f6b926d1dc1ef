import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useAction } from './action';
import { messageOf } from './problem';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** A modal dialog for as long as it is there. The browser keeps the focus in it, and gives it back. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = dialog;
    const before = document.activeElement as HTMLElement | null;
    current!.showModal();
    return () => {
      current!.close();
      before?.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onCancel={onClose}>
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  /** What will happen. */
  children: ComponentChildren;
  /** What the button says, such as "Archive". */
  verb: string;
  isDangerous?: boolean;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** Asks before something is done. Closes once it is done; says so if it fails. */
export function Confirm({ title, children, verb, isDangerous, onConfirm, onClose }: ConfirmProps) {
  const action = useAction(async () => {
    await onConfirm();
    onClose();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="dialog-body">{children}</div>
      <div role="alert">{action.error !== undefined && <p class="notice error">{messageOf(action.error)}</p>}</div>
      <div class="actions">
        <button type="button" class="quiet" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class={isDangerous ? 'danger' : 'primary'}
          disabled={action.isBusy}
          onClick={() => action.run()}
        >
          {verb}
        </button>
      </div>
    </Dialog>
  );
}
