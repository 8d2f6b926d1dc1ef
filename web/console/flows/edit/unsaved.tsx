import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Confirm } from '../../ui/dialog';

interface Unsaved {
  /** The question, once somebody is about to leave. */
  question: ComponentChildren;
  /** Lets go: what was typed is saved. */
  release: () => void;
}

/** Asks before a page is left whose changes are not saved: by a link, by "Back", by closing the tab. */
export function useUnsaved(isDirty: boolean): Unsaved {
  const [target, setTarget] = useState<string>();
  const isReleased = useRef(false);
  useEffect(() => {
    if (!isDirty) return undefined;
    const onUnload = (event: Event) => {
      if (!isReleased.current) event.preventDefault();
    };
    // Before the frame hears of it, as it is in the phase of capturing.
    const onRoute = (event: HashChangeEvent) => {
      if (isReleased.current) return;
      event.stopImmediatePropagation();
      setTarget(location.hash);
      history.pushState(null, '', event.oldURL);
    };
    addEventListener('beforeunload', onUnload);
    addEventListener('hashchange', onRoute, true);
    return () => {
      removeEventListener('beforeunload', onUnload);
      removeEventListener('hashchange', onRoute, true);
    };
  }, [isDirty]);
  const release = () => {
    isReleased.current = true;
  };
  const leave = async () => {
    release();
    location.hash = target!;
  };
  const question = target !== undefined && (
    <Confirm
      title="Leave without saving?"
      verb="Leave without saving"
      isDangerous
      onConfirm={leave}
      onClose={() => setTarget(undefined)}
    >
      <p>What you changed on this page is lost.</p>
    </Confirm>
  );
  return { question, release };
}
