import { etagOf, type Flow } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { useSession } from '../shell/session';
import { Confirm } from '../ui/dialog';
import { Loaded, useLoading } from '../ui/loading';
import { toast } from '../ui/toast';
import { differencesOf } from './differences';
import { DifferencesTable } from './differences-table';
import { NoteField } from './note-field';
import { offerNames } from './offer-names';

interface RestoreDialogProps {
  flow: Flow;
  /** The version whose content comes back. */
  version: number;
  onRestored: () => Promise<void>;
  onClose: () => void;
}

/** Shows what an earlier version will change of what is live, and makes it live again. */
export function RestoreDialog({ flow, version, onRestored, onClose }: RestoreDialogProps) {
  const { client } = useSession();
  const [note, setNote] = useState(`Version ${version} again`);
  const loading = useLoading(async (signal) => {
    const [earlier, offers] = await Promise.all([
      client.flows.version(flow.id, version, { signal }),
      offerNames(client, signal),
    ]);
    return differencesOf(flow, earlier, offers);
  }, []);
  const restore = async () => {
    const body = note.trim() ? { note: note.trim() } : {};
    const restored = await client.flows.restore(flow.id, version, body, { ifMatch: etagOf(flow) });
    const isSame = restored.version === flow.current_version;
    toast(isSame ? 'It is the same as what is live.' : `Restored as version ${restored.version}.`);
    await onRestored();
  };
  return (
    <Confirm title={`Restore version ${version}?`} verb="Restore now" isWide onConfirm={restore} onClose={onClose}>
      <p>
        What it says becomes the next version. Customers who come from now on see it; those under way stay with theirs.
      </p>
      <Loaded loading={loading}>
        {(differences) =>
          differences.length > 0 ? (
            <DifferencesTable
              differences={differences}
              before={`Version ${flow.current_version}, live`}
              after={`Version ${version}`}
            />
          ) : (
            <p>It says the same as version {flow.current_version}.</p>
          )
        }
      </Loaded>
      <NoteField value={note} onInput={setNote} />
    </Confirm>
  );
}
