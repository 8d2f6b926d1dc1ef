import { type ProblemCode, PROBLEMS } from '../../platform/api/problem';

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
  invalid_customer_token:
    'Have your backend sign a new token that puts right what `reason` names. Until then, let the customer go to `cancellation_url`.',
  wrong_credentials: 'Try again. An owner of the workspace can make a link with which the person sets a new password.',
  encryption_key_missing: 'Ask the operator to set `ENCRYPTION_KEY`: see the configuration.',
  billing_refused: 'Mend what `detail` quotes, such as a missing permission of the key, and send it again.',
  nothing_to_fulfil: 'Read the session: its `fulfilment` says how far it is.',
  insufficient_role: 'Ask an owner of the workspace for another role.',
  person_required: 'Sign in as a person. API keys say nothing about who may come and go.',
  cross_site:
    'Send the request from a page of this service, with the header `Sec-Fetch-Site` or `Origin` of its browser.',
  passwords_off: 'Sign in with OpenID Connect.',
  insufficient_scope: 'Use an API key whose `access` is `write`.',
  origin_not_allowed: "Add the page's origin to `allowed_origins` of the workspace.",
  session_limit_reached: 'Let the customer go to `cancellation_url`. The operator can raise the limit.',
  not_found: "Check the path and the id. What belongs to another key's workspace is not found either.",
  flow_not_found: 'Check `flow_slug`: it is the `slug` of the flow, not its id.',
  flow_not_published: 'Let the customer go to `cancellation_url`, if there is one. Publish the flow.',
  exit_not_found: 'Check the slug. Open the page with `PUT` and `exit` on the flow.',
  session_not_found: 'Start a new session. Use the `session_id` exactly as the start answered it.',
  link_not_found: 'Ask for a new link.',
  method_not_allowed: 'Use a method that `Allow` names. Updates are PUT, with the fields to change.',
  request_timeout: 'Send the request again, faster, on a new connection.',
  conflict: 'Send the request again after the seconds in `Retry-After`.',
  step_conflict: 'Show the `session` in the response, which is its current state, and go on from there.',
  offer_not_available:
    'Show the `session` in the response, which is at the node after the offer, and go on from there.',
  session_expired: 'Let the customer go to `cancellation_url`, or start a new session.',
  outcome_id_reused: 'Use a new id for another outcome. The one that was reported first stays.',
  api_key_limit_reached: 'Revoke a key that is not needed any more. The operator can issue more.',
  flow_limit_reached:
    'Change flows instead of creating new ones. The operator can raise the limit (`MAX_FLOWS_PER_WORKSPACE`).',
  offer_limit_reached:
    'Change offers instead of creating new ones. The operator can raise the limit (`MAX_OFFERS_PER_WORKSPACE`).',
  key_taken: 'Choose another key, or change the thing that has this one.',
  slug_taken: 'Choose another slug, or leave it out: the service makes one.',
  too_many_sessions:
    'Ask for a month at a time. If months take long, too, see how large the machine of Postgres should be: docs/deploy.md.',
  config_too_large: 'Read and change flows and offers one by one, by their own paths.',
  version_limit_reached:
    'Make a new flow with its content, and archive this one. The operator can raise the limit (`MAX_VERSIONS_PER_FLOW`).',
  workspace_version_limit_reached:
    'Only the operator can help, who can raise the limit (`MAX_VERSIONS_PER_WORKSPACE`).',
  draft_has_faults: 'Mend what `faults` points to, each with a JSON pointer into the draft, and publish again.',
  version_changed:
    'Compare the draft with what is live. Then delete it, or read it again and publish it with its new `ETag` as `If-Match`.',
  another_person: 'Read `GET /api/v1/public/me` again, or sign in again.',
  last_owner: 'Make somebody else an owner first.',
  address_limit_reached: 'Accept with the password of one of them, or sign in with OpenID Connect.',
  already_member: 'Change the role of the person instead.',
  people_limit_reached: 'Remove people or withdraw invitations first.',
  person_in_other_workspaces: 'The person can change the password while signed in, or sign in with OpenID Connect.',
  webhook_limit_reached: 'Delete a webhook first.',
  customer_key_limit_reached: 'Delete a customer key first.',
  webhook_disabled: 'Set its `status` to `enabled`, then ask again.',
  sends_nothing: 'Ask the service that this one is a copy of. The operator can start this one without `SEND_NOTHING`.',
  changed_meanwhile: 'Read it again, see what has changed, and send your change with the new `ETag`.',
  payload_too_large: 'Send less: 256 KB at most, 16 KB on the runtime API, 8 MiB to `/config`.',
  unsupported_media_type: 'Send the header `Content-Type: application/json`.',
  idempotency_key_reused: 'Use a new key for a new request, or the same body for the same key.',
  proof_required: 'Solve `challenge` and send the declaration again with `proof`, or let the customer use the page.',
  too_many_requests: 'Wait for the seconds in `Retry-After`, then send the request again.',
  headers_too_large: 'Send smaller headers, on a new connection.',
  internal_error: 'Send the request again later. If it stays, tell the operator its `request_id`.',
  not_ready: 'Send requests to another process until this one is ready.',
  service_unavailable:
    'Send the request again after the seconds in `Retry-After`. It may have been carried out: with its `Idempotency-Key`, a ' +
    'creation is not carried out twice.',
};
