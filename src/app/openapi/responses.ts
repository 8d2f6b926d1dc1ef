import { STATUS_CODES } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';
import { EXAMPLE_REQUEST_ID, PROBLEMS_EXTENSION, REQUEST_ID } from '../../platform/api/problems/problem.dto';
import { Problem } from '../../platform/api/problems/problem';
import { type ProblemCode, PROBLEMS } from '../../platform/api/problems/problem-codes';
import { integer } from '../../platform/api/fields/schemas';
import { ETAG_EXTENSION } from '../../platform/http/server/etag-headers';
import { ROLE_EXTENSION } from '../../tenancy/access/api-key.guard';
import type { Role } from '../../tenancy/access/role';

export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> & {
  [PROBLEMS_EXTENSION]?: ProblemCode[];
  [ETAG_EXTENSION]?: 'whole' | 'moves';
  [ROLE_EXTENSION]?: Role;
};
type Response = Extract<NonNullable<Operation['responses'][string]>, { description: string }>;
type Method = 'get' | 'post' | 'put' | 'delete';

const PROBLEM_JSON = 'application/problem+json';

/** The response headers, by name. */
export const HEADERS = {
  'Request-Id': {
    description: 'The id of the request in the logs: as sent by the proxy in front, or a new one.',
    required: true,
    schema: REQUEST_ID,
    example: EXAMPLE_REQUEST_ID,
  },
  Location: {
    description:
      'The path of the new resource, or the URL of the receipt of a declaration. A key can only be revoked or deleted there ' +
      '(`DELETE`); anything else can be read (`GET`).',
    required: true,
    schema: { type: 'string', format: 'uri-reference', pattern: '^(/api/v1/|https?://)', maxLength: 400 },
    example: '/api/v1/public/flows/019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a',
  },
  ETag: {
    description: 'Changes with each change of the resource. Send it as `If-Match` with a change of yours.',
    required: true,
    schema: { type: 'string', pattern: '^"[A-Za-z0-9_-]{22}"$', maxLength: 24 },
    example: '"3q2-7wAbcDEfghijklMNop"',
  },
  RateLimit: {
    description:
      'The remaining requests (`r`), and the seconds until the limit resets (`t`). Absent where there is no limit.',
    schema: { type: 'string', pattern: String.raw`^"[a-z]+";r=\d+;t=\d+$`, maxLength: 60 },
    example: '"runtime";r=599;t=60',
  },
  'RateLimit-Policy': {
    description: 'The limit that the request counts against: `q` requests per `w` seconds. Absent where there is none.',
    schema: { type: 'string', pattern: String.raw`^"[a-z]+";q=\d+;w=\d+$`, maxLength: 60 },
    example: '"runtime";q=600;w=60',
  },
  'Retry-After': {
    description: 'Seconds to wait before trying again. Absent where waiting does not help.',
    schema: integer(1, 900),
    example: 1,
  },
  'WWW-Authenticate': {
    description:
      'The authentication challenge, with every 401. That of a key (`Bearer`, RFC 6750) says why it was refused.',
    schema: { type: 'string', pattern: '^(Bearer|CustomerToken|Password) realm=', maxLength: 200 },
    example: 'Bearer realm="retention-flow"',
  },
};

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'An `ETag` that you have. If it is still the one, the response is 304, without a body.',
  schema: { type: 'string', maxLength: 1000 },
} as const;

/** Statuses sent before there is a complete request for the rate limit to count. */
const UNCOUNTED = [408, 431];

/** Responses and examples that operations refer to by name. */
interface Shared {
  responses: Record<string, object>;
  examples: Record<string, object>;
}

/**
 * Adds the error responses to an operation (those implied by its shape, and those its controller lists) and the headers
 * to all its responses. A response that follows from the shape of operations alone is one of the `responses` of the
 * document, and the operation refers to it. It spells out what is its own.
 */
export function completeResponses(operation: Operation, method: Method, { responses, examples }: Shared): void {
  const { [PROBLEMS_EXTENSION]: own = [], tags } = operation;
  // Of the routes that tell how the service is, only some are limited, and say so.
  const isLimited = !tags?.includes('Health') || own.includes('too_many_requests');
  delete operation[PROBLEMS_EXTENSION];
  const { [ETAG_EXTENSION]: etag } = operation;
  const hasETag = etag !== undefined;
  delete operation[ETAG_EXTENSION];
  if (etag === 'whole' && method === 'get') {
    operation.parameters = [...(operation.parameters ?? []), IF_NONE_MATCH];
    operation.responses[304] = { description: 'Nothing has changed: the `ETag` in `If-None-Match` is still the one.' };
  }
  const codes = [...new Set([...impliedProblems(operation, method, isLimited), ...own])];
  for (const { status } of codes.map((code) => PROBLEMS[code])) operation.responses[status] ??= problemResponse();
  for (const [name, response] of Object.entries(operation.responses) as [string, Response][]) {
    const status = Number(name);
    const problems = codes.filter((code) => PROBLEMS[code].status === status);
    const isShared = problems.length > 0 && !problems.some((code) => own.includes(code));
    response.description ||= [
      STATUS_CODES[status],
      ...problems.map((code) => `- \`${code}\`: ${PROBLEMS[code].detail}`),
    ].join('\n');
    response.headers = headersOf(isShared || isLimited, hasLocation(operation, status), status, problems);
    if (hasETag && [200, 304].includes(status)) response.headers.ETag = { $ref: '#/components/headers/ETag' };
    if (problems.length === 0) continue;
    const content = response.content![PROBLEM_JSON];
    // For programs, beside the description that says it to people.
    Object.assign(response, { 'x-codes': problems });
    content.examples ??= Object.fromEntries(
      problems.map((code) => {
        examples[code] = { value: exampleOf(code).body(EXAMPLE_REQUEST_ID) };
        return [code, { $ref: `#/components/examples/${code}` }];
      }),
    );
    if (!isShared) continue;
    const shared = problems.join('_or_');
    responses[shared] = response;
    operation.responses[name] = { $ref: `#/components/responses/${shared}` };
  }
}

function problemResponse(): Response {
  return { description: '', content: { [PROBLEM_JSON]: { schema: { $ref: '#/components/schemas/ProblemDto' } } } };
}

function impliedProblems(operation: Operation, method: Method, isLimited: boolean): ProblemCode[] {
  const parameters = (operation.parameters ?? []) as { in: string; name: string }[];
  // None if it is public.
  const schemes = (operation.security ?? []).flatMap((scheme) => Object.keys(scheme));
  const isGuarded = schemes.length > 0;
  const takesCookie = schemes.includes('session');
  const takesKey = schemes.includes('api_key');
  const isOperators = schemes.includes('operator_key');
  const isChange = method !== 'get';
  const { [ROLE_EXTENSION]: leastRole = 'viewer' } = operation;
  const implied: Partial<Record<ProblemCode, boolean>> = {
    invalid_request: true,
    unauthorized: isGuarded,
    invalid_token: isGuarded,
    insufficient_scope: takesKey && leastRole !== 'viewer',
    insufficient_role: takesCookie && leastRole !== 'viewer',
    person_required: takesCookie && !takesKey,
    another_person: takesCookie,
    cross_site: takesCookie && isChange,
    not_found: isOperators || parameters.some((parameter) => parameter.in === 'path'),
    request_timeout: true,
    changed_meanwhile: parameters.some(({ name }) => name === 'If-Match'),
    idempotency_key_reused: parameters.some(({ name }) => name === 'Idempotency-Key'),
    payload_too_large: isChange,
    unsupported_media_type: isChange,
    too_many_requests: isLimited,
    headers_too_large: true,
    internal_error: true,
    service_unavailable: true,
  };
  return (Object.keys(implied) as ProblemCode[]).filter((code) => implied[code]);
}

/** Where the client chose the URL itself, a 200 says that the thing existed before. */
function hasLocation({ responses }: Operation, status: number): boolean {
  return status === 201 && !('200' in responses);
}

function headersOf(
  isCounted: boolean,
  isLocated: boolean,
  status: number,
  problems: ProblemCode[],
): Record<string, { $ref: string }> {
  const names = isLocated ? ['Request-Id', 'Location'] : ['Request-Id'];
  if (isCounted && !UNCOUNTED.includes(status)) names.push('RateLimit', 'RateLimit-Policy');
  const problemHeaders = new Set(problems.flatMap((code) => Object.keys(new Problem(code).headers)));
  if (problemHeaders.has('retry-after') || status === 429) names.push('Retry-After');
  if (problemHeaders.has('www-authenticate')) names.push('WWW-Authenticate');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function exampleOf(code: ProblemCode): Problem {
  if (code === 'invalid_request')
    return Problem.invalid([{ pointer: '/name', message: 'must be text of 1 to 200 characters, not blank' }]);
  const hasCancellationUrl = [
    'invalid_customer_token',
    'origin_not_allowed',
    'session_limit_reached',
    'flow_not_published',
    'session_expired',
  ].includes(code);
  return new Problem(code, hasCancellationUrl ? { cancellation_url: 'https://acme.example/account/cancel' } : {});
}
