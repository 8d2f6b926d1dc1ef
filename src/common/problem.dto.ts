import { ApiExtension, ApiProperty } from '@nestjs/swagger';
import { FieldError, MAX_FIELD_ERRORS, type ProblemCode, PROBLEMS } from './problem';
import { anyText, integer, WEB_URL } from './schemas';

/** Where a controller notes the problems that are its own; the OpenAPI document turns them into responses. */
export const PROBLEMS_EXTENSION = 'x-problems';

/** Documents the problems of a route beyond those that follow from its shape (its key, its body, its parameters). */
export const ApiProblems = (...codes: ProblemCode[]) => ApiExtension(PROBLEMS_EXTENSION, codes);

/** The longest names a parameter, which may fill the headers' 16 KB; each ~ and / becomes two characters. */
const MAX_POINTER = 33_000;

/** The one of the header Request-Id: as a proxy in front gave it, or a UUID. */
export const REQUEST_ID = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$', maxLength: 64 } as const;
export const EXAMPLE_REQUEST_ID = '3f1c9a52-0c7e-4a8e-9b43-6d1f5b8e2c70';

export class FieldErrorDto implements FieldError {
  @ApiProperty({
    ...anyText(MAX_POINTER),
    example: '/name',
    description: 'JSON Pointer (RFC 6901) to the field; `/name` for a parameter or header.',
  })
  pointer: string;

  @ApiProperty({ ...anyText(500), example: 'must be text of 1 to 200 characters, not blank' })
  message: string;
}

/** Every error, as application/problem+json (RFC 9457). */
export class ProblemDto {
  @ApiProperty({ enum: ['about:blank'] })
  type: string;

  @ApiProperty({ ...anyText(100), example: 'Not Found', description: 'The name of the status.' })
  title: string;

  @ApiProperty({ ...integer(400, 599), example: 404 })
  status: number;

  @ApiProperty({
    ...anyText(MAX_POINTER + 1000),
    example: 'No flow has this slug.',
    description: 'For developers; it may change.',
  })
  detail: string;

  @ApiProperty({
    enum: Object.keys(PROBLEMS),
    example: 'flow_not_found',
    description: 'For programs; it is stable.',
  })
  code: ProblemCode;

  @ApiProperty({
    ...REQUEST_ID,
    example: EXAMPLE_REQUEST_ID,
    description: 'The id of the request in the logs.',
  })
  request_id: string;

  @ApiProperty({
    type: [FieldErrorDto],
    maxItems: MAX_FIELD_ERRORS,
    required: false,
    description: 'What is wrong with the input, field by field.',
  })
  errors?: FieldErrorDto[];

  @ApiProperty({
    ...WEB_URL,
    required: false,
    example: 'https://acme.example/account/cancel',
    description: 'Where to send the customer when no session can start or go on.',
  })
  cancellation_url?: string;
}
