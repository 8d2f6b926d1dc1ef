import { own } from './dom';

/**
 * What the customer does by mouse, keyboard and touch. Events of the widget itself, and moves of the pointer, are not.
 */
const TYPES =
  'keydown keypress keyup beforeinput input compositionstart compositionend paste pointerdown pointerup mousedown mouseup ' +
  'click dblclick auxclick contextmenu touchstart touchmove touchend wheel focus focusin focusout blur';

/** The dialog that was opened last. */
let dialog: HTMLDialogElement | undefined;

/**
 * Keeps what happens in the widget from the page, whose hot keys would eat what is typed, and whose focus traps, what
 * is pressed. They listen on the document, in the capturing phase at the earliest. On the window, the widget comes
 * first, if it listens before they do: so from the beginning.
 */
export function shield(isWidget: (target: EventTarget) => boolean): void {
  for (const type of TYPES.split(' ')) {
    const onEvent = (event: Event) => {
      if (!dialog?.open) return;
      const path = event.composedPath();
      const end = path.findIndex(isWidget);
      // Without the focus, keys go to the body. The page is inert, so they are for the dialog.
      const isKey = event.isTrusted && type.startsWith('key') && path[0] === own(document, 'body');
      if (end < 0 && !isKey) return;
      event.stopImmediatePropagation();
      // The event goes no further, so its handlers are called here.
      for (const target of path.slice(0, Math.max(end, 0))) {
        (target as unknown as Record<string, ((event: Event) => void) | null>)[`on${type}`]?.(event);
      }
    };
    // What may scroll does not wait for the widget.
    addEventListener(type, onEvent, { capture: true, passive: /^(touch|wheel)/.test(type) });
  }
}

/**
 * Opens the dialog. Throws if nothing in it can be pressed: hidden, or kept from its events, it would only block the
 * page.
 */
export function openDialog(element: HTMLDialogElement): void {
  let isHeard = false;
  dialog = element;
  element.showModal();
  element.onclick = ({ defaultPrevented }) => (isHeard = !defaultPrevented);
  element.click();
  element.onclick = null;
  if (!isHeard || !element.getClientRects().length) throw element;
}
