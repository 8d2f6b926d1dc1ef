import { splitWarnings } from '@retention-flow/split-warnings';
import { etagOf, type Flow, type FlowDraft, type RetentionFlow } from '@retention-flow/client';
import { useRef, useState } from 'preact/hooks';
import { navigate } from '../shell/route';
import { useSession } from '../shell/session';
import { Confirm } from '../ui/dialog';
import { counted } from '../ui/format';
import { toast } from '../ui/toast';
import { differencesOf } from './differences';
import { placeName } from '../settings/jurisdictions';
import { href } from '../shell/route';
import { offersIn } from '../preview/choices';
import { useLoading } from '../ui/loading';
import { orNull } from '../versions/or-null';
import { DifferencesFrom } from '../versions/differences-from';
import { NewerVersion } from '../versions/newer-version';
import { NoteField } from '../versions/note-field';

type FlowWarnings = Awaited<ReturnType<RetentionFlow['flows']['update']>>['warnings'];

interface PublishDialogProps {
  flow: Flow;
  /** Null if nothing is different from the current version, which customers may not see yet. */
  draft: FlowDraft | null;
  offers: ReadonlyMap<string, { name: string }>;
  onPublished: () => Promise<void>;
  onClose: () => void;
}

/** Shows what will be different for customers, and makes it live. */
export function PublishDialog({ flow, draft, offers, onPublished, onClose }: PublishDialogProps) {
  const { client } = useSession();
  const [note, setNote] = useState('');
  const published = useRef<Awaited<ReturnType<RetentionFlow['flows']['publishDraft']>>>(undefined);
  const isLive = flow.status === 'published';
  const publish = async () => {
    let version = flow.current_version;
    let warnings: FlowWarnings;
    // The second request may fail: then the draft is published already.
    if (draft && !published.current) {
      const body = note.trim() ? { note: note.trim() } : {};
      published.current = await client.flows.publishDraft(flow.id, body, { ifMatch: etagOf(draft) });
    }
    if (published.current) ({ version, warnings } = published.current);
    if (!isLive) ({ warnings } = await client.flows.update(flow.id, { status: 'published' }));
    toast(`Version ${version} is live.${missing(warnings)}`);
    published.current = undefined;
    await onPublished();
    if (!isLive) navigate(`/flows/${flow.id}`, { tab: 'install' });
  };
  /** What is published by then is shown, also if it isn't live. */
  const close = () => {
    if (published.current) void onPublished();
    onClose();
  };
  return (
    <Confirm title="Publish this flow?" verb="Publish now" isWide onConfirm={publish} onClose={close}>
      <p>
        {isLive
          ? 'Customers who come from now on see it. Those under way stay with what they began.'
          : 'Customers see it from now on, wherever a page of yours has its link.'}
      </p>
      {draft && <NewerVersion draft={draft} />}
      {isLive &&
        draft &&
        splitWarnings(flow.definition, draft.definition).map(({ pointer, message }) => (
          <p key={pointer} class="notice warning">
            {message}
          </p>
        ))}
      <Doubts flow={flow} draft={draft} offers={offers} />
      {draft && (
        <>
          <DifferencesFrom
            differences={differencesOf(flow, draft, offers)}
            version={flow.current_version}
            after="Draft"
          />
          <NoteField value={note} onInput={setNote} />
        </>
      )}
    </Confirm>
  );
}

/** What somebody may want to do first: what a law forbids, and drafts of offers, which are published by themselves. */
function Doubts({ flow, draft, offers }: Pick<PublishDialogProps, 'flow' | 'draft' | 'offers'>) {
  const { client } = useSession();
  const { value, error } = useLoading(
    async (signal) => {
      const ids = offersIn((draft ?? flow).definition);
      const [{ findings }, drafts] = await Promise.all([
        client.flows.review(flow.id, { draft: draft ? 'true' : 'false' }, { signal }),
        Promise.all(ids.map((id) => orNull(client.offers.draft(id, { signal })))),
      ]);
      return {
        forbidden: findings.filter(({ severity }) => severity === 'error'),
        drafted: ids.filter((_, index) => drafts[index] !== null),
      };
    },
    [flow.id, draft?.updated_at],
  );
  if (error !== undefined)
    return <p class="notice warning">What laws say, and drafts of offers, could not be checked.</p>;
  if (!value || value.forbidden.length + value.drafted.length === 0) return null;
  return (
    <div class="notice warning">
      <ul>
        {value.forbidden.map(({ jurisdiction, rule, pointer, message }) => (
          <li key={`${jurisdiction} ${rule} ${pointer}`}>
            {placeName(jurisdiction)}: {message}
          </li>
        ))}
        {value.drafted.map((id) => (
          <li key={id}>
            The offer <a href={href(`/offers/${id}`)}>{offers.get(id)?.name}</a> has a draft, which is not published
            with the flow.
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What customers in other languages read in that of the flow, and what becomes of its experiments. */
function missing(warnings: FlowWarnings = []): string {
  const gaps = warnings.flatMap(({ locale }) => locale ?? []);
  const languages = [...new Set(gaps)].join(', ');
  const messages = warnings.flatMap(({ message }) => (message === undefined ? [] : ` ${message}`));
  return `${gaps.length > 0 ? ` ${counted(gaps.length, 'translation')} missing: ${languages}.` : ''}${messages.join('')}`;
}
