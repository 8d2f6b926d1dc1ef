import type { PublishedOffer } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { Confirm } from '../ui/dialog';
import { Loaded, useLoading } from '../ui/loading';
import { toast } from '../ui/toast';
import type { Difference } from './difference';
import { DifferencesFrom } from './differences-from';
import { NoteField } from './note-field';

/** How an earlier version of something comes back. */
export interface Restoring {
  /** Reads how a version differs from what is live. */
  differences: (version: number, signal: AbortSignal) => Promise<Difference[]>;
  restore: (
    version: number,
    body: { note?: string },
  ) => Promise<Pick<PublishedOffer, 'version'> & { warnings?: { message?: string }[] }>;
  /** What it means for customers. */
  consequence: string;
  onRestored: () => Promise<void>;
}

interface RestoreDialogProps extends Restoring {
  /** The version whose content comes back. */
  version: number;
  current: number;
  onClose: () => void;
}

/** Shows what an earlier version will change of what is live, and makes it live again. */
export function RestoreDialog({
  version,
  current,
  differences,
  restore,
  consequence,
  onRestored,
  onClose,
}: RestoreDialogProps) {
  const [note, setNote] = useState(`Version ${version} again`);
  const loading = useLoading((signal) => differences(version, signal), []);
  const confirm = async () => {
    const restored = await restore(version, note.trim() ? { note: note.trim() } : {});
    const isSame = restored.version === current;
    await onRestored();
    const isPictureLost = restored.warnings?.some(({ message }) => message?.includes('picture'));
    const words = isSame ? 'It is the same as what is live.' : `Restored as version ${restored.version}.`;
    toast(isPictureLost ? `${words} A picture of it was deleted since, so it is without that.` : words);
  };
  return (
    <Confirm title={`Restore version ${version}?`} verb="Restore now" isWide onConfirm={confirm} onClose={onClose}>
      <p>What it says becomes the next version. {consequence}</p>
      <Loaded loading={loading}>
        {(differences) => (
          <DifferencesFrom
            differences={differences}
            version={current}
            before={`Version ${current}, live`}
            after={`Version ${version}`}
          />
        )}
      </Loaded>
      <NoteField value={note} onInput={setNote} />
    </Confirm>
  );
}
