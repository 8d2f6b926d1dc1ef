import { useSession } from '../shell/session';
import { useLoading } from '../ui/loading';

const PLACES: Record<string, string> = {
  de: 'Germany',
  eu: 'European Union',
  'us-ca': 'California',
  uk: 'United Kingdom',
};

interface ReviewCardProps {
  flowId: string;
  /** The draft as it is saved, instead of what is live. */
  isDraft?: boolean;
  /** Changes with what is reviewed. */
  at: string;
}

/** What laws on cancelling may say of a flow. */
export function ReviewCard({ flowId, isDraft = false, at }: ReviewCardProps) {
  const { client } = useSession();
  const { value } = useLoading(
    (signal) => client.flows.review(flowId, { draft: isDraft ? 'true' : 'false' }, { signal }),
    [flowId, isDraft, at],
  );
  if (!value) return null;
  return (
    <section class="card" aria-labelledby="review">
      <h2 id="review">By law</h2>
      {value.findings.length === 0 && <p>Nothing was found.</p>}
      <ul class="findings">
        {value.findings.map(({ jurisdiction, rule, severity, pointer, message, source, as_of }) => (
          <li key={`${jurisdiction} ${rule} ${pointer}`}>
            <span class={`badge ${severity === 'error' ? 'bad' : ''}`}>{severity}</span>{' '}
            <strong>{PLACES[jurisdiction] ?? jurisdiction}</strong> <code class="soft">{pointer}</code>
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
