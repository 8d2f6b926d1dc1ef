import type { CreateFlow, Flow } from '@retention-flow/client';
import { Confirm } from '../../ui/dialog';
import { Time } from '../../ui/time';
import { changedFields } from './draft';

interface MeanwhileProps {
  before: Flow;
  now: Flow;
  /** What is about to be saved. */
  changes: Partial<CreateFlow>;
  onOverwrite: () => Promise<void>;
  onClose: () => void;
}

/** Asks before changes are saved that somebody else does not know of. */
export function Meanwhile({ before, now, changes, onOverwrite, onClose }: MeanwhileProps) {
  const fields = changedFields(before, now);
  const own = changedFields(now, { ...now, ...changes });
  const both = own.filter((field) => fields.includes(field));
  return (
    <Confirm title="Somebody else changed this flow" verb="Save mine too" onConfirm={onOverwrite} onClose={onClose}>
      <p>
        It was saved at <Time value={now.updated_at} />, after you opened it. It is now version {now.current_version}
        {now.status !== before.status && `, ${now.status}`}.
      </p>
      {fields.length > 0 && <p>Changed: {fields.join(', ')}.</p>}
      <p>
        {both.length > 0
          ? `Yours replaces theirs: ${both.join(', ')}. What only they changed stays.`
          : 'You changed other fields. Theirs stay as they are.'}
      </p>
    </Confirm>
  );
}
