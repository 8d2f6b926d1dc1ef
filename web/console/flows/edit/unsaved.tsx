import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { guardPage } from '../../shell/route';
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
  const release = () => guardPage(undefined);
  useEffect(() => {
    if (!isDirty) return undefined;
    const onUnload = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', onUnload);
    guardPage(setTarget);
    return () => {
      removeEventListener('beforeunload', onUnload);
      release();
    };
  }, [isDirty]);
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
