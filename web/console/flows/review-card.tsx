import type { FlowDefinition } from '@retention-flow/client';
import { placeName } from '../settings/jurisdictions';
import { href } from '../shell/route';
import { useSession } from '../shell/session';
import { useLoading } from '../ui/loading';
import { reviewPlace } from './review-place';

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
  const { value } = useLoading(
    (signal) => client.flows.review(flowId, { draft: isDraft ? 'true' : 'false' }, { signal }),
    [flowId, isDraft, at],
  );
  if (!value) return null;
  return (
    <section class="card" aria-labelledby="review">
      <h2 id="review">By law</h2>
      {jurisdictions.length === 0 ? (
        <p>
          It is not known where your customers live, so nothing was looked for.{' '}
          {isOwner && <a href={href('/settings')}>Choose the countries</a>}
        </p>
      ) : (
        value.findings.length === 0 && <p>Nothing was found for {jurisdictions.map(placeName).join(', ')}.</p>
      )}
      <ul class="findings">
        {value.findings.map(({ jurisdiction, rule, severity, pointer, message, source, as_of }) => (
          <li key={`${jurisdiction} ${rule} ${pointer}`}>
            <span class={`badge ${severity === 'error' ? 'bad' : ''}`}>{severity}</span>{' '}
            <strong>{placeName(jurisdiction)}</strong> <span class="soft">{reviewPlace(pointer, definition)}</span>
            <p>{message}</p>
            <p class="soft">
              {source}. Read on {as_of}.
            </p>
          </li>
        ))}
      </ul>
      <p class="soft">Hints, and no legal advice.{isDraft && ' Of the draft as it is saved.'}</p>
    </section>
  );
}
