import { ApiError, type CreateFlow, type FieldError, type Flow } from '@retention-flow/client';
import { useMemo, useRef, useState } from 'preact/hooks';
import { href, navigate } from '../../shell/route';
import { useSession } from '../../shell/session';
import { useForm } from '../../ui/form';
import { refuseDoubled } from '../../ui/metadata';
import { messageOf } from '../../ui/problem';
import { toast } from '../../ui/toast';
import { ContentFields } from './content-fields';
import { composed, example } from './definitions';
import { pretty, readText } from './definition-text';
import { bodyOf, changesOf, type Draft, draftOf, makesVersion } from './draft';
import { GeneralFields, TeamFields } from './general-fields';
import { Meanwhile } from './meanwhile';
import type { ChosenOffer } from './offer-order';
import { useUnsaved } from './unsaved';

interface FlowEditorProps {
  /** Undefined for a new one. */
  flow?: Flow;
  offers: Map<string, ChosenOffer>;
}

const SHOWN_AT_FIELDS = [
  'name',
  'product_name',
  'cancellation_url',
  'description',
  'estimated_monthly_value',
  'notification_email',
  'metadata',
  'flow_mode',
  'offer_ids',
  'definition',
];

export function FlowEditor({ flow, offers }: FlowEditorProps) {
  const { client } = useSession();
  const [first] = useState(() => draftOf(flow));
  const [draft, setDraft] = useState(first);
  const [faults, setFaults] = useState<FieldError[]>([]);
  const element = useRef<HTMLFormElement>(null);

  const text = draft.definition ?? startingText(draft, flow, offers);
  const read = useMemo(() => readText(text), [text]);
  const isBroken = draft.flow_mode === 'advanced' && read.fault !== undefined;
  const body = bodyOf(draft, read.value);
  const changes = changesOf(flow ?? bodyOf(first, undefined), body);
  const isDirty = isBroken || Object.keys(changes).length > 0;
  const unsaved = useUnsaved(isDirty);

  /** Somebody else's changes since this flow was read, once they are found. */
  const [meanwhile, setMeanwhile] = useState<Flow>();
  const seen = useRef(flow);

  const done = (id: string, message: string) => {
    unsaved.release();
    navigate(`/flows/${id}`);
    toast(message);
  };
  const save = async () => {
    if (!flow) {
      const { id } = await client.flows.create(body);
      return done(id, 'Saved as a draft');
    }
    const now = await client.flows.get(flow.id);
    if (now.updated_at !== seen.current!.updated_at) return setMeanwhile(now);
    await client.flows.update(flow.id, withMode(changes, draft, now));
    return done(flow.id, makesVersion(changes) ? `Saved as version ${now.current_version + 1}` : 'Saved');
  };
  const form = useForm(async () => {
    refuseDoubled(draft.metadata);
    if (isBroken) throw new Error('The definition is not JSON. Nothing is saved.');
    setFaults([]);
    try {
      await save();
    } catch (error) {
      if (error instanceof ApiError) setFaults(definitionFaults(error.errors));
      throw error;
    }
  });
  const overwrite = async () => {
    seen.current = meanwhile;
    element.current!.requestSubmit();
  };

  const part = {
    draft,
    errorOf: form.errorOf,
    onChange: (changes: Partial<Draft>) => {
      setDraft((draft) => ({ ...draft, ...changes }));
      // They point into the text as it was.
      if (changes.definition !== undefined) setFaults([]);
    },
  };
  const others = form.otherErrors(SHOWN_AT_FIELDS);
  return (
    <>
      <form ref={element} class="flow-editor" onSubmit={form.run}>
        <GeneralFields {...part} />
        <ContentFields {...part} offers={offers} read={read} faults={faults} />
        <TeamFields {...part} />
        <div class="save-bar">
          <div role="alert">
            {form.error !== undefined && <p class="wrong">{messageOf(form.error)}</p>}
            {others.map((fault) => (
              <p key={fault} class="wrong">
                {fault}
              </p>
            ))}
          </div>
          <p class="soft">{isDirty || !flow ? outcomeOf(flow, makesVersion(changes)) : 'Nothing is changed.'}</p>
          <div class="actions">
            <a class="quiet" href={href(flow ? `/flows/${flow.id}` : '/flows')}>
              Cancel
            </a>
            <button type="submit" class="primary" disabled={form.isBusy || (flow !== undefined && !isDirty)}>
              {verbOf(flow, makesVersion(changes))}
            </button>
          </div>
        </div>
      </form>
      {unsaved.question}
      {meanwhile && (
        <Meanwhile
          before={seen.current!}
          now={meanwhile}
          changes={changes}
          onOverwrite={overwrite}
          onClose={() => setMeanwhile(undefined)}
        />
      )}
    </>
  );
}

/** What an advanced flow begins with: its graph, the one of the simple flow, or an example. */
function startingText(draft: Draft, flow: Flow | undefined, offers: Map<string, ChosenOffer>): string {
  if (flow?.flow_mode === 'advanced') return pretty(flow.definition);
  if (flow || draft.offer_ids.length > 0) return pretty(composed(draft.product_name, draft.offer_ids));
  const active = [...offers.values()].filter(({ isArchived }) => !isArchived);
  return pretty(
    example(
      draft.product_name || 'us',
      active.map(({ id }) => id),
    ),
  );
}

/** Offers and graphs are refused by a flow of the other mode, which somebody else may have set. */
function withMode(changes: Partial<CreateFlow>, { flow_mode }: Draft, now: Flow): Partial<CreateFlow> {
  const needsMode = now.flow_mode !== flow_mode && (changes.offer_ids ?? changes.definition);
  return needsMode ? { ...changes, flow_mode } : changes;
}

/** Those in the definition, with pointers into it. */
function definitionFaults(errors: FieldError[]): FieldError[] {
  return errors.flatMap(({ pointer, message }) =>
    /^\/definition(\/|$)/.test(pointer) ? [{ pointer: pointer.slice('/definition'.length), message }] : [],
  );
}

function verbOf(flow: Flow | undefined, isVersion: boolean): string {
  if (!flow) return 'Create draft';
  return isVersion ? `Save as version ${flow.current_version + 1}` : 'Save';
}

function outcomeOf(flow: Flow | undefined, isVersion: boolean): string {
  if (!flow) return 'No customer sees a draft. Publish it when it is ready.';
  if (!isVersion) return 'Customers see no difference.';
  if (flow.status !== 'published') return `No customer sees it as long as the flow is ${wordOf(flow.status)}.`;
  return `Customers who come from now on see it. Those under way stay with version ${flow.current_version}.`;
}

function wordOf(status: 'draft' | 'archived'): string {
  return status === 'draft' ? 'a draft' : 'archived';
}
