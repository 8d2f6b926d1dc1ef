import { STATUS_CODES } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';
import { EXAMPLE_REQUEST_ID, PROBLEMS_EXTENSION, REQUEST_ID } from './common/problem.dto';
import { Problem, type ProblemCode, PROBLEMS } from './common/problem';
import { integer } from './common/schemas';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> & { [PROBLEMS_EXTENSION]?: ProblemCode[] };
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
      'The path of the new resource. A key can only be revoked or deleted there (`DELETE`); anything else can be read (`GET`).',
    required: true,
    schema: { type: 'string', format: 'uri-reference', pattern: '^/api/v1/', maxLength: 100 },
    example: '/api/v1/public/flows/019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a',
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
    description: 'Seconds to wait before trying again.',
    required: true,
    schema: integer(1, 60),
    example: 1,
  },
  'WWW-Authenticate': {
    description: 'The authentication challenge. That of a key (`Bearer`, RFC 6750) says why it was refused.',
    required: true,
    schema: { type: 'string', pattern: '^(Bearer|CustomerToken) realm=', maxLength: 200 },
    example: 'Bearer realm="retention-flow"',
  },
};

/** Statuses sent before there is a complete request for the rate limit to count. */
const UNCOUNTED = [408, 431];

/** What operations refer to, by name. */
interface Shared {
  responses: Record<string, object>;
  examples: Record<string, object>;
}

/**
 * Adds the error responses to an operation (those implied by its shape, and those its controller lists) and the headers to
 * all its responses. A response that follows from the shape of operations alone is one of the `responses` of the document,
 * and the operation refers to it. It spells out what is its own.
 */
export function completeResponses(operation: Operation, method: Method, { responses, examples }: Shared): void {
  const { [PROBLEMS_EXTENSION]: own = [] } = operation;
  delete operation[PROBLEMS_EXTENSION];
  const codes = [...new Set([...impliedProblems(operation, method), ...own])];
  for (const { status } of codes.map((code) => PROBLEMS[code])) operation.responses[status] ??= problemResponse();
  for (const [name, response] of Object.entries(operation.responses) as [string, Response][]) {
    const status = Number(name);
    const problems = codes.filter((code) => PROBLEMS[code].status === status);
    const isShared = problems.length > 0 && !problems.some((code) => own.includes(code));
    response.description ||= [
      STATUS_CODES[status],
      ...problems.map((code) => `- \`${code}\`: ${PROBLEMS[code].detail}`),
    ].join('\n');
    response.headers = headersOf(isShared || isLimited(operation), status, problems);
    if (problems.length === 0) continue;
    response.content![PROBLEM_JSON].examples ??= Object.fromEntries(
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

function impliedProblems(operation: Operation, method: Method): ProblemCode[] {
  const parameters = (operation.parameters ?? []) as { in: string; name: string }[];
  const schemes = securitySchemesOf(operation);
  return [
    'invalid_request',
    ...(schemes.length > 0 ? (['unauthorized', 'invalid_token'] as const) : []),
    ...(schemes.includes('api_key') && method !== 'get' ? (['insufficient_scope'] as const) : []),
    ...(schemes.includes('operator_key') || parameters.some((parameter) => parameter.in === 'path')
      ? (['not_found'] as const)
      : []),
    'request_timeout',
    ...(parameters.some(({ name }) => name === 'Idempotency-Key') ? (['idempotency_key_reused'] as const) : []),
    ...(method !== 'get' ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
    ...(isLimited(operation) ? (['too_many_requests'] as const) : []),
    'headers_too_large',
    'internal_error',
    'service_unavailable',
  ];
}

function headersOf(isCounted: boolean, status: number, problems: ProblemCode[]): Record<string, { $ref: string }> {
  const names = status === 201 ? ['Request-Id', 'Location'] : ['Request-Id'];
  if (isCounted && !UNCOUNTED.includes(status)) names.push('RateLimit', 'RateLimit-Policy');
  const problemHeaders = new Set(problems.flatMap((code) => Object.keys(new Problem(code).headers)));
  if (problemHeaders.has('retry-after') || status === 429) names.push('Retry-After');
  if (problemHeaders.has('www-authenticate')) names.push('WWW-Authenticate');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function isLimited({ tags }: Operation): boolean {
  return !tags?.includes('Health');
}

/** The security schemes that an operation accepts; none if it is public. */
function securitySchemesOf({ security = [] }: Operation): string[] {
  return security.flatMap((scheme) => Object.keys(scheme));
}

function exampleOf(code: ProblemCode): Problem {
  if (code === 'invalid_request')
    return Problem.invalid([{ pointer: '/name', message: 'must be text of 1 to 200 characters, not blank' }]);
  const hasCancellationUrl = [
    'invalid_customer_token',
    'origin_not_allowed',
    'session_limit_reached',
    'flow_not_published',
  ].includes(code);
  return new Problem(code, hasCancellationUrl ? { cancellation_url: 'https://acme.example/account/cancel' } : {});
}
