import { Dialog } from '../../ui/dialog';
import { useAction } from '../../ui/action';
import { messageOf } from '../../ui/problem';
import { Time } from '../../ui/time';
import { differencesOf } from '../differences';
import { DifferencesTable } from '../../versions/differences-table';
import type { ChosenOffer } from './chosen-offer';
import { contentOf } from './draft';
import type { Edited } from './use-edited';

interface MeanwhileProps {
  conflict: NonNullable<Edited['conflict']>;
  offers: Map<string, ChosenOffer>;
}

/** Two people changed a flow at once: both versions side by side, and the choice between them. */
export function Meanwhile({ conflict: { saved, theirs, mine, settle, close }, offers }: MeanwhileProps) {
  const { flow, draft } = saved;
  const keep = useAction(() => settle(mine));
  const take = useAction(() => settle(undefined));
  const differences = differencesOf(contentOf(theirs), contentOf(mine), offers);
  return (
    <Dialog title="Somebody else changed this flow" isHeld={keep.isBusy} isWide onClose={close}>
      <p>
        {draft ? `${draft.updated_by.name} saved the draft` : 'It was saved'} at{' '}
        <Time value={draft?.updated_at ?? flow.updated_at} />, after you opened it.{' '}
        {differences.length > 0
          ? 'Yours replaces theirs where both are shown. Everything else of theirs stays.'
          : 'You changed other things. Theirs stay as they are.'}
      </p>
      {differences.length > 0 && <DifferencesTable differences={differences} before="Theirs" after="Yours" />}
      <div role="alert">{keep.error !== undefined && <p class="notice error">{messageOf(keep.error)}</p>}</div>
      <div class="actions">
        <button type="button" class="quiet" disabled={keep.isBusy} onClick={close}>
          Cancel
        </button>
        <button type="button" class="quiet" disabled={keep.isBusy} onClick={() => take.run()}>
          Take theirs
        </button>
        <button type="button" class="primary" disabled={keep.isBusy} onClick={() => keep.run()}>
          Keep mine
        </button>
      </div>
    </Dialog>
  );
}
