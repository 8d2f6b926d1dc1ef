import { ApiExtension, ApiProperty } from '@nestjs/swagger';
import { FieldError, type ProblemCode, PROBLEMS } from './problem';

/** Where a controller notes the problems that are its own; the OpenAPI document turns them into responses. */
export const PROBLEMS_EXTENSION = 'x-problems';

/** Documents the problems of a route beyond those that follow from its shape (its key, its body, its parameters). */
export const ApiProblems = (...codes: ProblemCode[]) => ApiExtension(PROBLEMS_EXTENSION, codes);

export class FieldErrorDto implements FieldError {
  @ApiProperty({ example: '/name', description: 'JSON Pointer (RFC 6901) to the field, or `/name` of a parameter.' })
  pointer: string;

  @ApiProperty({ example: 'must be text of 1 to 200 characters, not blank' })
  message: string;
}

/** Every error, as application/problem+json (RFC 9457). */
export class ProblemDto {
  @ApiProperty({ example: 'about:blank' })
  type: string;

  @ApiProperty({ example: 'Not Found' })
  title: string;

  @ApiProperty({ type: 'integer', example: 404 })
  status: number;

  @ApiProperty({ example: 'No flow has this slug.', description: 'For the developer; it may change.' })
  detail: string;

  @ApiProperty({
    enum: Object.keys(PROBLEMS),
    example: 'flow_not_found',
    description: 'For the program; it is stable.',
  })
  code: ProblemCode;

  @ApiProperty({
    example: '3f1c9a52-0c7e-4a8e-9b43-6d1f5b8e2c70',
    description: 'The id by which the logs know the request.',
  })
  request_id: string;

  @ApiProperty({ type: [FieldErrorDto], required: false, description: 'What is wrong with the input, field by field.' })
  errors?: FieldErrorDto[];

  @ApiProperty({
    required: false,
    format: 'uri',
    example: 'https://acme.example/account/cancel',
    description: 'Where to let the customer go when no session can start, or none goes on.',
  })
  cancellation_url?: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    selfRequired: false,
    description: 'With `step_conflict`: where the session stands, as its GET answers.',
  })
  session?: object;
}
