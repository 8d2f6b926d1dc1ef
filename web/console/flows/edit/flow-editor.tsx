import type { BodyError, FlowDefinition } from '@retention-flow/client';
import { faultsOf } from '@retention-flow/flow-faults';
import { useEffect, useState } from 'preact/hooks';
import { SURVEY_POINTER } from '../../../../src/flows/graph/simple-definition';
import { PreviewDialog } from '../../preview/preview-dialog';
import { navigate } from '../../shell/route';
import { useSession } from '../../shell/session';
import { useAction } from '../../ui/action';
import { counted } from '../../ui/format';
import { useForm } from '../../ui/form';
import { messageOf } from '../../ui/problem';
import { toast } from '../../ui/toast';
import { CONTENT_FIELDS, INPUT_NAMES } from '../flow-fields';
import { PublishDialog } from '../publish-dialog';
import { ReviewCard } from '../review-card';
import type { ChosenOffer } from './chosen-offer';
import { Content } from './content';
import { composed, type Draft } from './draft';
import { GeneralFields, TeamFields } from './general-fields';
import { Meanwhile } from './meanwhile';
import { faultsInWords } from './model/fault-words';
import { shapeFaultsOf } from './model/shape';
import { type Saved, useEdited } from './use-edited';
import { useUnsaved } from './unsaved';

interface FlowEditorProps {
  first: Saved;
  offers: Map<string, ChosenOffer>;
}

/** The kind of a flow has no place for its fault. */
const SHOWN_AT_FIELDS = [...INPUT_NAMES, ...CONTENT_FIELDS].filter((field) => field !== 'flow_mode');

/** A flow as it is edited: what is saved goes into its draft, which can be looked at and published. */
export function FlowEditor({ first, offers }: FlowEditorProps) {
  const { client } = useSession();
  const edited = useEdited(client, first);
  const { saved, draft, graph, isDirty } = edited;
  const { id } = saved.flow;
  /** Nothing is saved beside a field that shows something else. */
  const save = async () => {
    const broken = document.querySelector<HTMLTextAreaElement>('.graph-beside textarea:invalid');
    if (broken) throw new Error(broken.validationMessage);
    return edited.save();
  };
  const unsaved = useUnsaved(isDirty, async () => (await save()) !== undefined);
  /** What is about to be published. */
  const [asked, setAsked] = useState<Saved>();
  const [previewed, setPreviewed] = useState<Saved>();
  const [said, setSaid] = useState('');

  const form = useForm(async () => {
    if (await save()) toast('Saved in the draft');
  });
  const look = useAction(async () => setPreviewed(await save()));
  const publish = useAction(async () => setAsked(await save()));

  const undo = () => {
    edited.undo();
    setSaid('Undone.');
  };
  const redo = () => {
    edited.redo();
    setSaid('Redone.');
  };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z';
      // Text that is JSON has the history of the browser.
      if (!isUndo || (event.target as Element).closest('.code, dialog')) return;
      event.preventDefault();
      if (event.shiftKey) redo();
      else undo();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);

  const found = isDirty ? faultsIn(draft, graph) : (saved.draft?.faults ?? []);
  const faults = edited.refused.length > 0 ? edited.refused : found;
  const part = {
    draft,
    errorOf: (field: string) =>
      form.errorOf(field) ??
      faults.find(({ pointer }) => pointer === (field[0] === '/' ? field : `/${field}`))?.message,
    onChange: (changes: Partial<Draft>) => edited.change(changes, Object.keys(changes).join()),
  };
  const failure = form.error ?? look.error ?? publish.error;
  const others = form.otherErrors(SHOWN_AT_FIELDS);
  const isBusy = form.isBusy || look.isBusy || publish.isBusy;
  return (
    <div class="flow-editor" onKeyDown={openForLetter}>
      <Content {...part} edited={edited} offers={offers} faults={faults} words={faultsInWords(faults, graph)} />
      <form id="flow" onSubmit={form.run}>
        <GeneralFields {...part} />
        <TeamFields {...part} />
      </form>
      <ReviewCard
        flowId={id}
        definition={(saved.draft ?? saved.flow).definition}
        isDraft={saved.draft !== null}
        at={(saved.draft ?? saved.flow).updated_at}
      />
      <div class="save-bar">
        <div role="alert">
          {failure !== undefined && <p class="wrong">{messageOf(failure)}</p>}
          {others.map((fault) => (
            <p key={fault} class="wrong">
              {fault}
            </p>
          ))}
        </div>
        <p class="unseen" role="status">
          {said}
        </p>
        <p class="soft" role="status">
          {stateOf(isDirty, saved.draft !== null)}
          {faults.length > 0 && ` ${counted(faults.length, 'fault')} to mend before it can be published.`}
        </p>
        <div class="actions">
          <button
            type="button"
            class="quiet"
            aria-label="Undo"
            title="Undo (Ctrl+Z)"
            aria-disabled={!edited.canUndo}
            onClick={undo}
          >
            ↶
          </button>
          <button
            type="button"
            class="quiet"
            aria-label="Redo"
            title="Redo (Ctrl+Shift+Z)"
            aria-disabled={!edited.canRedo}
            onClick={redo}
          >
            ↷
          </button>
          <button
            type="button"
            class="quiet"
            disabled={isBusy || faults.length > 0}
            title="Walks through the flow as a customer does"
            onClick={() => look.run()}
          >
            Preview
          </button>
          <button type="submit" form="flow" class="quiet" disabled={isBusy || !isDirty}>
            Save draft
          </button>
          <button
            type="button"
            class="primary"
            disabled={isBusy || faults.length > 0 || !(isDirty || saved.draft || saved.flow.status !== 'published')}
            onClick={() => publish.run()}
          >
            Publish …
          </button>
        </div>
      </div>
      {unsaved.question}
      {previewed && (
        <PreviewDialog
          flowId={id}
          definition={(previewed.draft ?? previewed.flow).definition}
          isDraft={previewed.draft !== null}
          onClose={() => setPreviewed(undefined)}
        />
      )}
      {asked && (
        <PublishDialog
          {...asked}
          offers={offers}
          onPublished={async () => {
            unsaved.release();
            navigate(`/flows/${id}`);
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
      {edited.conflict && <Meanwhile conflict={edited.conflict} offers={offers} />}
    </div>
  );
}

/** A letter opens a select that is closed, in place of choosing something unseen. */
function openForLetter(event: KeyboardEvent): void {
  const { target, key, ctrlKey, metaKey, altKey } = event;
  const isLetter = key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;
  if (!isLetter || !(target instanceof HTMLSelectElement) || target.multiple) return;
  // Elsewhere, it cannot be told whether the select is open.
  if (!CSS.supports('selector(:open)') || target.matches(':open')) return;
  event.preventDefault();
  target.showPicker();
}

/** What the service will find wrong with what is edited, with pointers as it gives them. */
function faultsIn(draft: Draft, graph: FlowDefinition | undefined): BodyError[] {
  if (draft.flow_mode === 'simple') {
    return faultsOf(composed(draft)).map(({ pointer, message }) => ({
      pointer: pointer.replace(SURVEY_POINTER, '/survey'),
      message,
    }));
  }
  return (graph ? faultsOf(graph) : shapeFaultsOf(draft.definition)).map(({ pointer, message }) => ({
    pointer: `/definition${pointer}`,
    message,
  }));
}

function stateOf(isDirty: boolean, hasDraft: boolean): string {
  if (isDirty) return 'Not saved yet.';
  return hasDraft ? 'Saved in the draft. No customer sees it until it is published.' : 'Nothing is changed.';
}
