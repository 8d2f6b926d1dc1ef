import { etagOf, type Flow, type FlowDraft, type RetentionFlow } from '@retention-flow/client';
import { useRef, useState } from 'preact/hooks';
import { useSession } from '../shell/session';
import { DifferencesFrom } from '../versions/differences-from';
import { NewerVersion } from '../versions/newer-version';
import { NoteField } from '../versions/note-field';
import { Confirm } from '../ui/dialog';
import { counted, percent } from '../ui/format';
import { Loaded, useLoading } from '../ui/loading';
import { toast } from '../ui/toast';
import { differencesOf } from './differences';
import { endedWith, runningOf, type Split, winnerOf } from './experiment';
import { offerNames } from './offer-names';
import { readDraft, withDraft } from './read-draft';

interface EndTestProps {
  flow: Flow;
  split: Split;
  onEnded: () => Promise<void>;
  onClose: () => void;
}

/** Gives all customers one arm of a test: shows what will be different, and makes it live. */
export function EndTest(props: EndTestProps) {
  const { client } = useSession();
  const loading = useLoading((signal) => read(client, props.flow, signal), [props.flow.id]);
  return <Loaded loading={loading}>{(known) => <Ending {...props} {...known} />}</Loaded>;
}

async function read(client: RetentionFlow, flow: Flow, signal: AbortSignal) {
  const [draft, offers] = await Promise.all([readDraft(client, flow.id, signal), offerNames(client, signal)]);
  return { draft, offers };
}

interface EndingProps extends EndTestProps {
  draft: FlowDraft | null;
  offers: ReadonlyMap<string, { name: string }>;
}

function Ending({ flow, split, draft, offers, onEnded, onClose }: EndingProps) {
  const { node_key, arms } = split;
  const { client } = useSession();
  const [chosen, setChosen] = useState(winnerOf(split));
  const [note, setNote] = useState('');
  const saved = useRef<FlowDraft>(undefined);
  const now = draft ? withDraft(flow, draft) : flow;
  const definition = chosen === undefined ? undefined : endedWith(now.definition, node_key, chosen);
  const end = async () => {
    if (!definition) throw new Error(chosen === undefined ? 'Choose an arm.' : NOT_THERE);
    // The second request may fail: then the draft is saved already.
    saved.current = await client.flows.saveDraft(
      flow.id,
      { definition },
      { ifMatch: etagOf(saved.current ?? draft ?? flow) },
    );
    const body = { note: note.trim() || `The test “${node_key}” ended: everybody gets “${chosen}”.` };
    const { version } = await client.flows.publishDraft(flow.id, body, { ifMatch: etagOf(saved.current) });
    toast(`Everybody gets “${chosen}”: version ${version} is live.`);
    await onEnded();
  };
  return (
    <Confirm title={`End the test “${node_key}”?`} verb="End the test" isWide onConfirm={end} onClose={onClose}>
      <fieldset class="split">
        <legend>All customers who come from now on get</legend>
        {runningOf(arms ?? []).map(({ name, customers, rates }) => (
          <label key={name} class="check">
            <input type="radio" name="arm" checked={name === chosen} onChange={() => setChosen(name)} />
            {name}
            <span class="soft">
              {percent(rates.saved)} saved of {counted(customers, 'customer')}
            </span>
          </label>
        ))}
      </fieldset>
      <p class="soft">Those under way stay with what they began. The numbers of the test stay.</p>
      {draft && (
        <p class="notice warning">This flow has a draft. What is different in it goes live, too: it is listed below.</p>
      )}
      {draft && <NewerVersion draft={draft} />}
      {chosen !== undefined && !definition && <p class="notice error">{NOT_THERE}</p>}
      {definition && (
        <DifferencesFrom
          differences={differencesOf(flow, { ...now, definition }, offers)}
          version={flow.current_version}
          after="Then"
        />
      )}
      <NoteField value={note} onInput={setNote} />
    </Confirm>
  );
}

const NOT_THERE = 'The draft of this flow does not have this test any more. Publish or delete the draft.';
