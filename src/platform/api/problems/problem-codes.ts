export interface ProblemKind {
  status: number;
  /** One sentence for the developer who reads the response. */
  detail: string;
  /** What the caller does about it: for the table of errors in the docs, in Markdown. */
  advice: string;
  headers?: Record<string, string>;
}

const CHALLENGE = 'Bearer realm="retention-flow"';
const SOON = { 'retry-after': '1' };

/** Every error that the service responds with, by its `code`. */
export const PROBLEMS = {
  invalid_request: {
    status: 400,
    detail: 'The request is malformed.',
    advice:
      'Mend what `errors` names: a field of the body by its JSON pointer, a parameter or a header. Repeating the request as it is does not help.',
  },
  unauthorized: {
    status: 401,
    detail: 'Send a key: Authorization: Bearer <API_KEY>. Or sign in.',
    advice: 'Send the header `Authorization: Bearer <API_KEY>`.',
    headers: { 'www-authenticate': CHALLENGE },
  },
  invalid_token: {
    status: 401,
    detail: 'The key or the session is unknown, expired or revoked.',
    advice: 'Use a key of this service that has not been revoked. Operators use the `ADMIN_API_KEY`.',
    headers: { 'www-authenticate': `${CHALLENGE}, error="invalid_token"` },
  },
  invalid_customer_token: {
    status: 401,
    detail: 'The customer token is malformed, or no key of the workspace signed it.',
    advice:
      'Have your backend sign a new token that puts right what `reason` names. Until then, let the customer go to `cancellation_url`.',
    headers: { 'www-authenticate': 'CustomerToken realm="retention-flow"' },
  },
  wrong_credentials: {
    status: 401,
    detail: 'The e-mail address or the password is wrong.',
    advice: 'Try again. An owner of the workspace can make a link with which the person sets a new password.',
    headers: { 'www-authenticate': 'Password realm="retention-flow"' },
  },
  insufficient_scope: {
    status: 403,
    detail: 'This API key may only read.',
    advice: 'Use an API key whose `access` is `write`.',
    headers: { 'www-authenticate': `${CHALLENGE}, error="insufficient_scope", scope="write"` },
  },
  insufficient_role: {
    status: 403,
    detail: 'Your role in the workspace does not allow this.',
    advice: 'Ask an owner of the workspace for another role.',
  },
  person_required: {
    status: 403,
    detail: 'Only a person who is signed in may do this, no API key.',
    advice: 'Sign in as a person. API keys say nothing about who may come and go.',
  },
  cross_site: {
    status: 403,
    detail: 'A cookie is good for changes only from a page of this service.',
    advice:
      'Send the request from a page of this service, with the header `Sec-Fetch-Site` or `Origin` of its browser.',
  },
  another_person: {
    status: 403,
    detail: 'The cookie is not of the person whom `Person-Id` names: somebody else has signed in with this browser.',
    advice: 'Read `GET /api/v1/public/me` again, or sign in again.',
  },
  passwords_off: {
    status: 403,
    detail: 'People sign in here with OpenID Connect only.',
    advice: 'Sign in with OpenID Connect.',
  },
  origin_not_allowed: {
    status: 403,
    detail: 'Pages on this origin may not start sessions in this workspace.',
    advice: "Add the page's origin to `allowed_origins` of the workspace.",
  },
  session_limit_reached: {
    status: 403,
    detail: 'The workspace has reached its session limit for this month.',
    advice: 'Let the customer go to `cancellation_url`. The operator can raise the limit.',
  },
  not_found: {
    status: 404,
    detail: 'There is nothing at this path, or nothing that this key may see.',
    advice: "Check the path and the id. What belongs to another key's workspace is not found either.",
  },
  flow_not_found: {
    status: 404,
    detail: 'No flow has this slug.',
    advice: 'Check `flow_slug`: it is the `slug` of the flow, not its id.',
  },
  flow_not_published: {
    status: 404,
    detail: 'The flow is not published.',
    advice: 'Let the customer go to `cancellation_url`, if there is one. Publish the flow.',
  },
  exit_not_found: {
    status: 404,
    detail: 'No flow with this slug has an exit page.',
    advice: 'Check the slug. Open the page with `PUT` and `exit` on the flow.',
  },
  session_not_found: {
    status: 404,
    detail: 'No session has this id.',
    advice: 'Start a new session. Use the `session_id` exactly as the start answered it.',
  },
  link_not_found: {
    status: 404,
    detail: 'The link was used, has expired or was replaced by another.',
    advice: 'Ask for a new link.',
  },
  method_not_allowed: {
    status: 405,
    detail: 'This path does not take this method. It takes those in `Allow`.',
    advice: 'Use a method that `Allow` names. Updates are PUT, with the fields to change.',
  },
  request_timeout: {
    status: 408,
    detail: 'The request took too long to arrive.',
    advice: 'Send the request again, faster, on a new connection.',
  },
  conflict: {
    status: 409,
    detail: 'Another request conflicted with this one. Try again.',
    advice: 'Send the request again after the seconds in `Retry-After`.',
    headers: SOON,
  },
  step_conflict: {
    status: 409,
    detail: 'The session is at another node or has ended: continue from its current state.',
    advice: 'Show the `session` in the response, which is its current state, and go on from there.',
  },
  offer_not_available: {
    status: 409,
    detail:
      'The customer has accepted this offer, or offers, as often as a limit allows: continue from the node of `session`.',
    advice: 'Show the `session` in the response, which is at the node after the offer, and go on from there.',
  },
  session_expired: {
    status: 409,
    detail: 'The session began more than 24 hours ago. It takes no more steps.',
    advice: 'Let the customer go to `cancellation_url`, or start a new session.',
  },
  outcome_id_reused: {
    status: 409,
    detail: 'This id was reported with another outcome.',
    advice: 'Use a new id for another outcome. The one that was reported first stays.',
  },
  not_contacted: {
    status: 409,
    detail: 'No session of this customer ended as contacted before that time, so nothing is stored.',
    advice:
      'Look at `GET /sessions?customer_id=…&status=contacted`: it may be saved or canceled already, or the time is too early.',
  },
  not_a_test_workspace: {
    status: 409,
    detail: 'The workspace is live. This is only for test workspaces.',
    advice: 'Make a test workspace beside it: `POST /api/v1/public/workspace/test`.',
  },
  not_a_live_workspace: {
    status: 409,
    detail: 'The workspace is a test workspace itself.',
    advice: 'Send the request with a key of the live workspace.',
  },
  test_workspace_limit_reached: {
    status: 409,
    detail: 'The workspace has 10 test workspaces, the most it may have.',
    advice: 'Use one of them. The operator can delete those that are not needed, and create more.',
  },
  api_key_limit_reached: {
    status: 409,
    detail: 'The workspace has 50 API keys in use, the most it may have.',
    advice: 'Revoke a key that is not needed any more. The operator can issue more.',
  },
  flow_limit_reached: {
    status: 409,
    detail: 'The workspace has 10,000 flows, archived ones included, the most it may have.',
    advice: 'Change flows instead of creating new ones. The operator can raise the limit (`MAX_FLOWS_PER_WORKSPACE`).',
  },
  offer_limit_reached: {
    status: 409,
    detail: 'The workspace has 10,000 offers, archived ones included, the most it may have.',
    advice:
      'Change offers instead of creating new ones. The operator can raise the limit (`MAX_OFFERS_PER_WORKSPACE`).',
  },
  image_limit_reached: {
    status: 409,
    detail: 'The workspace has 500 pictures, the most it may have.',
    advice: 'Delete pictures that no page or offer shows any more.',
  },
  image_in_use: {
    status: 409,
    detail: 'Flows or offers show this picture: `used_in` names them.',
    advice: 'Take it from them first, or send `force=true`: they go on without it then.',
  },
  audience_limit_reached: {
    status: 409,
    detail: 'The workspace has 100 audiences, the most it may have.',
    advice: 'Delete an audience that no flow names any more.',
  },
  in_use: {
    status: 409,
    detail: 'Flows name this audience: `flows` lists them.',
    advice: 'Take it from them first, from their drafts too.',
  },
  key_taken: {
    status: 409,
    detail: 'Another thing of the workspace has this key.',
    advice: 'Choose another key, or change the thing that has this one.',
  },
  slug_taken: {
    status: 409,
    detail: 'Another flow of the service has this slug.',
    advice: 'Choose another slug, or leave it out: the service makes one.',
  },
  config_too_large: {
    status: 409,
    detail: 'The workspace is too large for a document: it has more than 10,000 things, or they take more than 8 MiB.',
    advice: 'Read and change flows and offers one by one, by their own paths.',
  },
  too_many_sessions: {
    status: 409,
    detail: 'These sessions could not be counted within 30 s. Ask for fewer days, or for one flow.',
    advice:
      'Ask for a month at a time. If months take long, too, see how large the machine of Postgres should be: docs/deploy.md.',
  },
  version_limit_reached: {
    status: 409,
    detail:
      'It has 1,000 versions, the most that a flow or an offer may have. Create a new one with its content, and archive this one.',
    advice:
      'Make a new one with its content, and archive this one. The operator can raise the limit (`MAX_VERSIONS_PER_FLOW`).',
  },
  workspace_version_limit_reached: {
    status: 409,
    detail: 'The workspace has 20,000 versions of flows, or of offers, the most it may have.',
    advice: 'Only the operator can help, who can raise the limit (`MAX_VERSIONS_PER_WORKSPACE`).',
  },
  draft_has_faults: {
    status: 409,
    detail: 'The draft has faults: customers could not walk through it.',
    advice: 'Mend what `faults` points to, each with a JSON pointer into the draft, and publish again.',
  },
  version_changed: {
    status: 409,
    detail: 'Another version went live after the draft was begun.',
    advice:
      'Compare the draft with what is live. Then delete it, or read it again and publish it with its new `ETag` as `If-Match`.',
  },
  last_owner: {
    status: 409,
    detail: 'The workspace would have no owner any more.',
    advice: 'Make somebody else an owner first.',
  },
  address_limit_reached: {
    status: 409,
    detail: 'Five people of other workspaces have this address, the most there may be while nobody has proved it.',
    advice: 'Accept with the password of one of them, or sign in with OpenID Connect.',
  },
  already_member: {
    status: 409,
    detail: 'The person with this address is in the workspace already.',
    advice: 'Change the role of the person instead.',
  },
  people_limit_reached: {
    status: 409,
    detail: 'The workspace has 500 people and open invitations, the most it may have.',
    advice: 'Remove people or withdraw invitations first.',
  },
  person_in_other_workspaces: {
    status: 409,
    detail: 'The person is in another workspace, too, so no owner of this one may sign in as them.',
    advice: 'The person can change the password while signed in, or sign in with OpenID Connect.',
  },
  webhook_limit_reached: {
    status: 409,
    detail: 'The workspace has 10 webhooks, the most it may have.',
    advice: 'Delete a webhook first.',
  },
  customer_key_limit_reached: {
    status: 409,
    detail: 'The workspace has 10 customer keys, the most it may have.',
    advice: 'Delete a customer key first.',
  },
  encryption_key_missing: {
    status: 409,
    detail: 'The operator has to set ENCRYPTION_KEY first: secrets of billing systems are stored encrypted only.',
    advice: 'Ask the operator to set `ENCRYPTION_KEY`: see the configuration.',
  },
  billing_refused: {
    status: 409,
    detail: 'The billing system refused the key.',
    advice: 'Mend what `detail` quotes, such as a missing permission of the key, and send it again.',
  },
  nothing_to_fulfil: {
    status: 409,
    detail: 'The billing system has nothing to do for this session, is doing it, or has done it.',
    advice: 'Read the session: its `fulfilment` says how far it is.',
  },
  billing_not_live: {
    status: 409,
    detail: 'No billing system is connected, or the connection is a dry run.',
    advice: 'Set `mode` of the connection to `live` first: `PUT /billing/connection`.',
  },
  webhook_disabled: {
    status: 409,
    detail: 'The webhook is disabled. Enable it first.',
    advice: 'Set its `status` to `enabled`, then ask again.',
  },
  sends_nothing: {
    status: 409,
    detail: 'This service is a copy that sends nothing (SEND_NOTHING=true).',
    advice: 'Ask the service that this one is a copy of. The operator can start this one without `SEND_NOTHING`.',
  },
  changed_meanwhile: {
    status: 412,
    detail: 'It was changed after you read it: its ETag is not the one in If-Match.',
    advice: 'Read it again, see what has changed, and send your change with the new `ETag`.',
  },
  payload_too_large: {
    status: 413,
    detail: 'The body is larger than this endpoint accepts.',
    advice: 'Send less: 256 KB at most, 16 KB on the runtime API, 8 MiB to `/config`.',
  },
  unsupported_media_type: {
    status: 415,
    detail:
      'Send JSON, with the header Content-Type: application/json. A picture is PNG, JPEG or WebP, and sent as that.',
    advice:
      'Send the header `Content-Type: application/json`; with a picture `image/png`, `image/jpeg` or `image/webp`.',
  },
  idempotency_key_reused: {
    status: 422,
    detail: 'This Idempotency-Key was already used with a different request.',
    advice: 'Use a new key for a new request, or the same body for the same key.',
  },
  proof_required: {
    status: 429,
    detail:
      'Too many declarations came within an hour, from this address or at this flow. Send this one again with a `proof` of work.',
    advice: 'Solve `challenge` and send the declaration again with `proof`, or let the customer use the page.',
  },
  too_many_requests: {
    status: 429,
    detail: 'Too many requests. Wait for the number of seconds in Retry-After.',
    advice: 'Wait for the seconds in `Retry-After`, then send the request again.',
  },
  headers_too_large: {
    status: 431,
    detail: 'The headers are too large.',
    advice: 'Send smaller headers, on a new connection.',
  },
  internal_error: {
    status: 500,
    detail: 'Something went wrong on our side.',
    advice: 'Send the request again later. If it stays, tell the operator its `request_id`.',
  },
  not_ready: {
    status: 503,
    detail: 'Send requests elsewhere for now.',
    advice: 'Send requests to another process until this one is ready.',
    headers: SOON,
  },
  service_unavailable: {
    status: 503,
    detail: 'The service is busy. Try again in a moment.',
    advice:
      'Send the request again after the seconds in `Retry-After`. It may have been carried out: with its `Idempotency-Key`, a ' +
      'creation is not carried out twice.',
    headers: SOON,
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

/**
 * Details of a refused customer token, by `reason`: only what the holder of a token can read in it,
 * and nothing of a token that no key of the workspace signed.
 */
export const TOKEN_REASONS = {
  missing: 'The workspace requires a customer token, and the request has none.',
  wrong_type: 'The header typ of the customer token must be retention-customer+jwt.',
  wrong_audience: 'The claim aud of the customer token must be the id of the workspace.',
  not_yet_valid: 'The customer token is not valid yet.',
  expired: 'The customer token has expired.',
  wrong_lifetime: 'The claim exp of the customer token must be later than iat, by an hour at most.',
  wrong_flow: 'The customer token is for another flow.',
  invalid_claims:
    'A claim of the customer token is missing or invalid: sub has the rules of the id of a customer, iat and exp are numbers.',
};

/** Why a customer token is refused. Those that have no sentence are for the log only. */
export type TokenFault = keyof typeof TOKEN_REASONS | 'malformed' | 'unknown_key' | 'wrong_signature';
