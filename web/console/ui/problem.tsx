import { ApiError, ConnectionError, type ErrorCode } from '@retention-flow/client';

/** What has words of its own for people. */
const WORDS: Partial<Record<ErrorCode, string>> = {
  changed_meanwhile:
    'Somebody else changed this after you opened it. Reload the page to see how it is now, and change it again.',
  image_in_use: 'It is still in use. Remove it there first, or delete it anyway.',
  last_owner: 'Somebody has to stay an owner. Make somebody else an owner first.',
  link_not_found: 'This link was used, has expired or was replaced by another. Ask for a new one.',
};

/** What went wrong, in words for people. */
export function messageOf(error: unknown): string {
  if (error instanceof ConnectionError) return 'The service does not answer. Check that it is running, and try again.';
  if (!(error instanceof ApiError)) return (error as Error).message;
  if (error.status === 429) return `The service limits how often you may ask. Try again in ${seconds(error)}.`;
  if (error.status === 503) return `The service is too busy to answer. Try again in ${seconds(error)}.`;
  if (error.status >= 500) return 'The service failed to answer. Try again.';
  const words = WORDS[error.code];
  if (words) return words;
  if (error.status === 404) return 'There is no such thing any more, or it belongs to another workspace.';
  return error.message;
}

function seconds({ retryAfter = 1 }: ApiError): string {
  if (retryAfter > 90) return `${Math.ceil(retryAfter / 60)} minutes`;
  return retryAfter === 1 ? 'a second' : `${retryAfter} seconds`;
}

/** What went wrong, and how to go on. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => unknown }) {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <div class="notice error" role="alert">
      <p>{messageOf(error)}</p>
      {requestId && (
        <p class="soft">
          Request <code>{requestId}</code>
        </p>
      )}
      {onRetry && (
        <button type="button" class="quiet small" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
