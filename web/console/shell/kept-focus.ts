import { useEffect } from 'preact/hooks';

/** When what has the focus vanishes, such as a button that has done its work, the heading of the page gets it. */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: EventTarget | null = null;
    const note = ({ target }: Event) => (last = target);
    const keep = () => {
      const isLost = last instanceof Element && !last.isConnected && document.activeElement === document.body;
      if (isLost) document.querySelector('h1')?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(keep);
    observer.observe(document.body, { childList: true, subtree: true });
    addEventListener('focusin', note);
    return () => {
      observer.disconnect();
      removeEventListener('focusin', note);
    };
  }, []);
}
