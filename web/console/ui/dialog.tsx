import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useAction } from './action';
import { messageOf } from './problem';

interface DialogProps {
  title: string;
  /** Esc does not close it: a change is under way, or what it shows is shown only this once. */
  isHeld?: boolean;
  /** For tables. */
  isWide?: boolean;
  /** It has no buttons to end it, so it is closed above. */
  hasClose?: boolean;
  onClose: () => void;
  children: ComponentChildren;
}

/** A modal dialog for as long as it is there. The browser keeps the focus in it, and gives it back. */
export function Dialog({ title, isHeld = false, isWide = false, hasClose = false, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const { current } = dialog;
    const before = document.activeElement as HTMLElement | null;
    current!.showModal();
    return () => {
      current!.close();
      // What opened it may be gone.
      if (before?.isConnected) before.focus();
      else document.querySelector('h1')?.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={isWide ? 'wide' : ''}
      aria-labelledby={id}
      // Not `cancel`: browsers close a dialog at the second Esc, whatever it says.
      onKeyDown={(event) => event.key === 'Escape' && isHeld && event.preventDefault()}
      onCancel={(event) => (isHeld ? event.preventDefault() : onClose())}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {hasClose && (
          <button type="button" class="quiet small" aria-label="Close" onClick={onClose}>
            ×
          </button>
        )}
      </header>
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
  isWide?: boolean;
  /** Something else to do instead, such as to save first. */
  instead?: { verb: string; run: () => Promise<void> } | undefined;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** Asks before something is done. Closes once it is done; says so if it fails. */
export function Confirm({
  title,
  children,
  verb,
  isDangerous,
  isWide = false,
  instead,
  onConfirm,
  onClose,
}: ConfirmProps) {
  const action = useAction(async (work: () => Promise<void>) => {
    await work();
    onClose();
  });
  return (
    <Dialog title={title} isHeld={action.isBusy} isWide={isWide} onClose={onClose}>
      <div class="dialog-body">{children}</div>
      <div role="alert">{action.error !== undefined && <p class="notice error">{messageOf(action.error)}</p>}</div>
      <div class="actions">
        <button type="button" class="quiet" disabled={action.isBusy} onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class={isDangerous ? 'danger' : 'primary'}
          disabled={action.isBusy}
          onClick={() => action.run(onConfirm)}
        >
          {verb}
        </button>
        {instead && (
          <button type="button" class="primary" disabled={action.isBusy} onClick={() => action.run(instead.run)}>
            {instead.verb}
          </button>
        )}
      </div>
    </Dialog>
  );
}
