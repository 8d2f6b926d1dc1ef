import { ApiExtension, ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import {
  type FieldError,
  type HeaderError,
  type InputError,
  MAX_FIELD_ERRORS,
  MAX_USES,
  type ParameterError,
  type Use,
} from './problem';
import { type ProblemCode, PROBLEMS, TOKEN_REASONS } from './problem-codes';
import { AnyText, Choice, Flag, Id } from '../fields/shown';
import { anyText, integer, WEB_URL } from '../fields/schemas';

/** Where a route lists its own problems. The OpenAPI document turns them into responses. */
export const PROBLEMS_EXTENSION = 'x-problems';

/** Documents the problems of a route, beyond those implied by its security, body and parameters. */
export const ApiProblems = (...codes: ProblemCode[]) => ApiExtension(PROBLEMS_EXTENSION, codes);

/** The longest pointer names a parameter that fills the 16 KB of headers; each ~ and / in it becomes two characters. */
export const MAX_POINTER = 33_000;

/** The id of the `Request-Id` header: as sent by the proxy in front, or a UUID. */
export const REQUEST_ID = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$', maxLength: 64 } as const;
export const EXAMPLE_REQUEST_ID = '3f1c9a52-0c7e-4a8e-9b43-6d1f5b8e2c70';

/** What is wrong with a field of a body. */
export class BodyErrorDto implements FieldError {
  @AnyText(MAX_POINTER, "JSON Pointer (RFC 6901) to the field in the body; '' is the body.", '/name')
  pointer: string;

  @AnyText.like(500, 'must be text of 1 to 200 characters, not blank')
  message: string;
}

/** What is wrong with a parameter of the query or the path. */
export class ParameterErrorDto implements ParameterError {
  @AnyText(MAX_POINTER, 'The name of the parameter.', 'limit')
  parameter: string;

  @AnyText.like(500, 'must be an integer from 1 to 100')
  message: string;

  @ApiProperty({
    ...anyText(MAX_POINTER),
    required: false,
    example: '/where/all/0/value',
    description:
      'JSON Pointer (RFC 6901) to the field, behind the name of the parameter; only of `where`, which is JSON.',
  })
  pointer?: string;
}

/** What is wrong with a header. */
export class HeaderErrorDto implements HeaderError {
  @AnyText(100, 'The name of the header.', 'If-Match')
  header: string;

  @AnyText.like(500, 'must be an ETag like "3q2-7wAbcDEfghijklMNop"')
  message: string;
}

const FAULTS_OF_INPUT = [BodyErrorDto, ParameterErrorDto, HeaderErrorDto];

/** Any of them: a class can't say that it is one of others. */
export const FIELD_ERROR_SCHEMA = { anyOf: FAULTS_OF_INPUT.map((type) => ({ $ref: getSchemaPath(type) })) };

class UseDto implements Use {
  @Choice.like(['flow', 'offer'], 'offer')
  type: Use['type'];

  @Id.like('019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a')
  id: string;

  @AnyText.like(200, 'Half price')
  name: string;

  @Flag('Whether its draft shows it, and not what is live.', false)
  is_draft: boolean;
}

class NamingFlowDto {
  @Id.like('019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a')
  id: string;

  @AnyText.like(200, 'Leaving Acme Pro')
  name: string;
}

/** The body of every error response: application/problem+json (RFC 9457). */
@ApiExtraModels(...FAULTS_OF_INPUT)
export class ProblemDto {
  @Choice(['about:blank'])
  type: string;

  @AnyText(100, 'The name of the HTTP status.', 'Not Found')
  title: string;

  @ApiProperty({ ...integer(400, 599), example: 404 })
  status: number;

  @AnyText(MAX_POINTER + 1000, 'An explanation for developers. The wording may change.', 'No flow has this slug.')
  detail: string;

  @Choice(Object.keys(PROBLEMS), 'The kind of error, for programs. It never changes.', 'flow_not_found')
  code: ProblemCode;

  @ApiProperty({
    ...REQUEST_ID,
    example: EXAMPLE_REQUEST_ID,
    description: 'The id of the request in the logs.',
  })
  request_id: string;

  @ApiProperty({
    type: 'array',
    items: { $ref: '#/components/schemas/FieldErrorDto' },
    maxItems: MAX_FIELD_ERRORS,
    required: false,
    description:
      'What is wrong with each field, parameter and header of the input; only with `invalid_request` and `slug_taken`.',
  })
  errors?: InputError[];

  @ApiProperty({
    type: [BodyErrorDto],
    maxItems: MAX_FIELD_ERRORS,
    required: false,
    description: 'What is wrong with a draft; only with `draft_has_faults`.',
  })
  faults?: BodyErrorDto[];

  @ApiProperty({
    type: [UseDto],
    maxItems: MAX_USES,
    required: false,
    description: `Where a picture is shown, the first ${MAX_USES} places; only with \`image_in_use\`.`,
  })
  used_in?: UseDto[];

  @ApiProperty({
    type: [NamingFlowDto],
    maxItems: 100,
    required: false,
    description: 'The flows that name an audience; only with `in_use`.',
  })
  flows?: NamingFlowDto[];

  @ApiProperty({
    ...WEB_URL,
    required: false,
    example: 'https://acme.example/account/cancel',
    description: 'Where to send a customer whose session cannot start or continue.',
  })
  cancellation_url?: string;

  @ApiProperty({
    ...anyText(43),
    required: false,
    description:
      'Find a text of at most 64 characters such that the SHA-256 of `challenge`, a dot and the text begins with 20 zero ' +
      'bits, and send it as `proof`; only with `proof_required`.',
  })
  challenge?: string;

  @ApiProperty({
    enum: Object.keys(TOKEN_REASONS),
    required: false,
    example: 'expired',
    description:
      'What is wrong with a customer token; only with `invalid_customer_token`, and not if the token is malformed or no key ' +
      'of the workspace signed it.',
  })
  reason?: keyof typeof TOKEN_REASONS;
}
