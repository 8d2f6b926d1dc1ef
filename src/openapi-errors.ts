import { type ProblemCode, PROBLEMS } from './common/problem';

/** Every error with what to do about it: the table of errors in the docs. */
export function documentErrors(): object[] {
  return Object.entries(PROBLEMS)
    .map(([code, { status, detail }]) => ({ status, code, when: detail, advice: ADVICE[code as ProblemCode] }))
    .toSorted((one, other) => one.status - other.status);
}

const ADVICE: Record<ProblemCode, string> = {
  invalid_request:
    'Mend what `errors` points to, each with a JSON pointer. Repeating the request as it is does not help.',
  unauthorized: 'Send the header `Authorization: Bearer <API_KEY>`.',
  invalid_token: 'Use a key of this service that has not been revoked. Operators use the `ADMIN_API_KEY`.',
  invalid_customer_token: 'Have your backend sign a new token. Meanwhile, let the customer go to `cancellation_url`.',
  insufficient_scope: 'Use an API key whose `access` is `write`.',
  origin_not_allowed: "Add the page's origin to `allowed_origins` of the workspace.",
  session_limit_reached: 'Let the customer go to `cancellation_url`. The operator can raise the limit.',
  not_found: "Check the path and the id. What belongs to another key's workspace is not found either.",
  flow_not_found: 'Check `flow_slug`: it is the `slug` of the flow, not its id.',
  flow_not_published: 'Let the customer go to `cancellation_url`, if there is one. Publish the flow.',
  session_not_found: 'Start a new session. Use the `session_id` exactly as the start answered it.',
  request_timeout: 'Send the request again, faster, on a new connection.',
  conflict: 'Send the request again after the seconds in `Retry-After`.',
  step_conflict: 'Show the `session` in the response, which is its current state, and go on from there.',
  webhook_limit_reached: 'Delete a webhook first.',
  customer_key_limit_reached: 'Delete a customer key first.',
  webhook_disabled: 'Set its `status` to `enabled`, then ask again.',
  payload_too_large: 'Send less: 256 KB at most, 16 KB on the runtime API.',
  unsupported_media_type: 'Send the header `Content-Type: application/json`.',
  idempotency_key_reused: 'Use a new key for a new request, or the same body for the same key.',
  too_many_requests: 'Wait for the seconds in `Retry-After`, then send the request again.',
  headers_too_large: 'Send smaller headers, on a new connection.',
  internal_error: 'Send the request again later. If it stays, tell the operator its `request_id`.',
  not_ready: 'Send requests to another process until this one is ready.',
  service_unavailable:
    'Send the request again after the seconds in `Retry-After`. It may have been carried out: with its `Idempotency-Key`, a ' +
    'creation is not carried out twice.',
};
