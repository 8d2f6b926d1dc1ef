import type { FlowDefinition, RetentionFlow } from '@retention-flow/client';
import { placeName } from '../settings/jurisdictions';
import { href } from '../shell/route';
import { useSession } from '../shell/session';
import { useLoading } from '../ui/loading';
import { messageOf } from '../ui/problem';
import { reviewLink, reviewPlace } from './review-place';

type Finding = Awaited<ReturnType<RetentionFlow['flows']['review']>>['findings'][number];

interface ReviewCardProps {
  flowId: string;
  /** What is reviewed, as it is saved. */
  definition: FlowDefinition;
  /** The draft as it is saved, instead of what is live. */
  isDraft?: boolean;
  /** Changes with what is reviewed. */
  at: string;
}

/** What laws on cancelling may say of a flow. */
export function ReviewCard({ flowId, definition, isDraft = false, at }: ReviewCardProps) {
  const { client, workspace, isOwner } = useSession();
  const { jurisdictions } = workspace;
  const { value, error } = useLoading(
    (signal) => client.flows.review(flowId, { draft: isDraft ? 'true' : 'false' }, { signal }),
    [flowId, isDraft, at],
  );
  if (!value && error === undefined) return null;
  return (
    <section class="card" aria-labelledby="review">
      <h2 id="review">By law</h2>
      {jurisdictions.length === 0 ? (
        <p>
          It is not known where your customers live, so nothing was looked for.{' '}
          {isOwner && <a href={href('/settings')}>Choose the countries</a>}
        </p>
      ) : (
        value?.findings.length === 0 && <p>Nothing was found for {jurisdictions.map(placeName).join(', ')}.</p>
      )}
      {error !== undefined && <p class="notice error">{messageOf(error)}</p>}
      {!!value?.findings.length && (
        <ul class="findings">
          {alike(value.findings).map((findings) => {
            const [{ rule, severity, pointer, message }] = findings;
            return (
              <li key={`${rule} ${pointer} ${message}`}>
                <span class={`badge ${severity === 'error' ? 'bad' : ''}`}>{severity}</span>{' '}
                <strong>{findings.map(({ jurisdiction }) => placeName(jurisdiction)).join(', ')}</strong>{' '}
                <ReviewPlace
                  link={reviewLink(pointer, { flowId, definition, isDraft })}
                  words={reviewPlace(pointer, definition)}
                />
                <p>{message}</p>
                {[...sourcesOf(findings)].map((source) => (
                  <p key={source} class="soft">
                    {source}
                  </p>
                ))}
              </li>
            );
          })}
        </ul>
      )}
      <p class="soft">Hints, and no legal advice.{isDraft && ' Of the draft as it is saved.'}</p>
    </section>
  );
}

/** The findings, those together that say the same of the same place. */
function alike(findings: Finding[]): [Finding, ...Finding[]][] {
  const groups = new Map<string, [Finding, ...Finding[]]>();
  for (const finding of findings) {
    const key = `${finding.pointer} ${finding.message}`;
    const group = groups.get(key);
    if (group) group.push(finding);
    else groups.set(key, [finding]);
  }
  return [...groups.values()];
}

function sourcesOf(findings: Finding[]): Set<string> {
  return new Set(findings.map(({ source, as_of }) => `${source}. Read on ${as_of}.`));
}

function ReviewPlace({ link, words }: { link: string | undefined; words: string }) {
  return link === undefined ? <span class="soft">{words}</span> : <a href={link}>{words}</a>;
}
