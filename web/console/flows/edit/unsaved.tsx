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

/**
 * Asks before a page is left whose changes are not saved: by a link, by "Back", by signing out, by closing the tab.
 *
 * @param save saves them, and says whether they are saved
 */
export function useUnsaved(isDirty: boolean, save: () => Promise<boolean>): Unsaved {
  const [leave, setLeave] = useState<() => void>();
  const release = () => guardPage(undefined);
  useEffect(() => {
    if (!isDirty) return undefined;
    const onUnload = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', onUnload);
    guardPage((go) => setLeave(() => go));
    return () => {
      removeEventListener('beforeunload', onUnload);
      release();
    };
  }, [isDirty]);
  const go = () => {
    release();
    leave!();
  };
  const question = leave && (
    <Confirm
      title="Leave without saving?"
      verb="Leave without saving"
      isDangerous
      onConfirm={async () => go()}
      instead={{
        verb: 'Save and leave',
        run: async () => {
          if (await save()) go();
        },
      }}
      onClose={() => setLeave(undefined)}
    >
      <p>What you changed on this page is lost.</p>
    </Confirm>
  );
  return { question, release };
}
