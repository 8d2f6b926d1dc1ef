import {
  ApiError,
  etagOf,
  type BodyError,
  type Flow,
  type FlowDraft,
  type RetentionFlow,
} from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { refuseDoubled } from '../../ui/metadata';
import { readDraft, withDraft } from '../read-draft';
import { readText, type ReadText } from './definition-text';
import { bodyOf, changesOf, type Draft, draftOf, merged, split } from './draft';
import { beginning, changed, type History, redone, undone } from './model/history';
import { graphOf } from './model/shape';
import { pretty } from './pretty';

/** A flow as it is saved: what is live, and the draft beside it. */
export interface Saved {
  flow: Flow;
  draft: FlowDraft | null;
}

export type Edited = ReturnType<typeof useEdited>;

/** What is edited of a flow, with all that can be undone, and how it is saved. */
export function useEdited(client: RetentionFlow, first: Saved) {
  const [saved, setSaved] = useState(first);
  const [history, setHistory] = useState<History<Draft>>(() => beginning(editedOf(first)));
  /** The text that somebody wrote, for as long as the definition is the one that it was written for. */
  const [written, setWritten] = useState<{ read: ReadText; definition: unknown }>();
  const [refused, setRefused] = useState<BodyError[]>([]);
  /** What somebody else saved meanwhile, once that is found. */
  const [theirs, setTheirs] = useState<Saved>();

  const draft = history.now;
  const read =
    written?.definition === draft.definition && written ? written.read : readText(pretty(draft.definition ?? null));
  const isBroken = draft.flow_mode === 'advanced' && read.fault !== undefined;
  const isDirty = isBroken || Object.keys(changesSince(saved, draft)).length > 0;

  /** Changes with the same subject, such as keys pressed in a field, are undone as one. */
  const change = (changes: Partial<Draft>, subject?: string) => {
    setRefused([]);
    setHistory((history) => changed(history, { ...history.now, ...changes }, subject));
  };
  const move = (step: typeof undone) => {
    setRefused([]);
    setHistory(step);
  };
  const write = (text: string) => {
    const read = readText(text);
    const definition = read.fault ? draft.definition : read.value;
    setWritten({ read, definition });
    if (!read.fault) change({ definition }, 'json');
  };
  /** Saves what has changed; gives what is saved then, or nothing if somebody else saved something meanwhile. */
  const save = async (from = saved, mine = draft): Promise<Saved | undefined> => {
    refuseDoubled(mine.metadata);
    if (isBroken) throw new Error('The definition is not JSON. Nothing is saved.');
    const [content, others] = split(changesSince(from, mine));
    const { id } = from.flow;
    let now = from;
    try {
      if (Object.keys(content).length > 0) {
        const ifMatch = etagOf(from.draft ?? from.flow);
        now = { ...now, draft: await client.flows.saveDraft(id, content, { ifMatch }) };
        setSaved(now);
      }
      if (Object.keys(others).length > 0) {
        await client.flows.update(id, others, { ifMatch: etagOf(from.flow) });
        now = { ...now, flow: await client.flows.get(id) };
        setSaved(now);
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== 'changed_meanwhile') {
        setRefused(error.fields);
        throw error;
      }
      setTheirs(await readSaved(client, id));
      return undefined;
    }
    return now;
  };
  /**
   * Goes on with what somebody else saved: without one's own changes, which can be undone, or with them, which saves
   * them.
   */
  const settle = async (mine: Draft | undefined) => {
    setSaved(theirs!);
    setHistory((history) => changed(history, mine ?? editedOf(theirs!)));
    setTheirs(undefined);
    if (mine) await save(theirs, mine);
  };
  const conflict = theirs && {
    saved: theirs,
    theirs: editedOf(theirs),
    mine: merged(editedOf(saved), draft, editedOf(theirs)),
    settle,
    close: () => setTheirs(undefined),
  };
  const graph = draft.flow_mode === 'advanced' ? graphOf(draft.definition) : undefined;
  return {
    saved,
    draft,
    graph,
    read,
    isDirty,
    refused,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    undo: () => move(undone),
    redo: () => move(redone),
    change,
    write,
    save,
    conflict,
  };
}

export async function readSaved(client: RetentionFlow, id: string, signal?: AbortSignal): Promise<Saved> {
  const options = signal ? { signal } : {};
  return { flow: await client.flows.get(id, options), draft: await readDraft(client, id, signal) };
}

function shownOf({ flow, draft }: Saved): Flow {
  return draft ? withDraft(flow, draft) : flow;
}

const editedOf = (saved: Saved) => draftOf(shownOf(saved));

const changesSince = (saved: Saved, draft: Draft) => changesOf(shownOf(saved), bodyOf(draft));
