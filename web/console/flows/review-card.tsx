import type { FlowDefinition } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { placeName } from '../settings/jurisdictions';
import { href } from '../shell/route';
import { useSession } from '../shell/session';
import { TextArea } from '../ui/field';
import { useLoading } from '../ui/loading';
import { messageOf } from '../ui/problem';
import { type OwnButton, ownButtonIn, TARGET_WORDS } from './own-button';
import { reviewLink, reviewPlace } from './review-place';

interface ReviewCardProps {
  flowId: string;
  slug: string;
  /** What is reviewed, as it is saved. */
  definition: FlowDefinition;
  /** The draft as it is saved, instead of what is live. */
  isDraft?: boolean;
  /** Changes with what is reviewed. */
  at: string;
}

/** What laws on cancelling may say of a flow. */
export function ReviewCard({ flowId, slug, definition, isDraft = false, at }: ReviewCardProps) {
  const { client, workspace, isOwner } = useSession();
  const { jurisdictions } = workspace;
  const [html, setHtml] = useState('');
  const own = ownButtonIn(html, slug);
  const { button, cancel_label } = own ?? {};
  const { value, error } = useLoading(
    (signal) => client.flows.review(flowId, { ...own, draft: isDraft ? 'true' : 'false' }, { signal }),
    [flowId, isDraft, at, button, cancel_label],
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
          {value.findings.map(({ jurisdiction, rule, severity, pointer, message, source, as_of }) => (
            <li key={`${jurisdiction} ${rule} ${pointer}`}>
              <span class={`badge ${severity === 'error' ? 'bad' : ''}`}>{severity}</span>{' '}
              <strong>{placeName(jurisdiction)}</strong>{' '}
              <ReviewPlace
                link={reviewLink(pointer, { flowId, definition, isDraft })}
                words={reviewPlace(pointer, definition)}
              />
              <p>{message}</p>
              <p class="soft">
                {source}. Read on {as_of}.
              </p>
            </li>
          ))}
        </ul>
      )}
      {jurisdictions.length > 0 && <ButtonField html={html} own={own} onInput={setHtml} />}
      <p class="soft">Hints, and no legal advice.{isDraft && ' Of the draft as it is saved.'}</p>
    </section>
  );
}

function ReviewPlace({ link, words }: { link: string | undefined; words: string }) {
  return link === undefined ? <span class="soft">{words}</span> : <a href={link}>{words}</a>;
}

/** Asks for the button of the page, which the service does not see. */
function ButtonField({
  html,
  own,
  onInput,
}: {
  html: string;
  own: OwnButton | undefined;
  onInput: (html: string) => void;
}) {
  const said = own?.button ? TARGET_WORDS[own.button] : 'There is no link or form in it.';
  return (
    <details>
      <summary>Check the button on your page, too</summary>
      <TextArea
        name="own-button"
        label="HTML of the button"
        rows={3}
        value={html}
        hint={
          html.trim() === ''
            ? 'Paste the link or the form that your customers click to cancel. It is not stored.'
            : said
        }
        onInput={onInput}
      />
    </details>
  );
}
