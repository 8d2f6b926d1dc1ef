import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ApiExamples } from '../../common/examples';
import { EmailField, Field, FieldOptions, isPlainObject, ObjectField, TextField } from '../../common/fields';
import { isStorable, lengthOf } from '../../common/text';
import { COLOR, filledText, ID, OPTIONAL_WEB_URL } from '../../common/schemas';
import { CustomerDetails } from '../flow-session.entity';
import { ApiNodeProperty, type RuntimeNode } from './node.dto';

const MAX_ATTRIBUTES = 50;

export const ATTRIBUTES = {
  type: 'object',
  maxProperties: MAX_ATTRIBUTES,
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: 1000 },
} satisfies ApiPropertyOptions;

function AttributesField(options: FieldOptions) {
  return Field(
    options,
    ATTRIBUTES,
    `must be an object of at most ${MAX_ATTRIBUTES} names and texts (1000 characters), numbers, booleans or nulls`,
    (value) =>
      isPlainObject(value) &&
      Object.keys(value).length <= MAX_ATTRIBUTES &&
      Object.values(value).every((item) => item === null || isScalar(item)),
  );
}

function isScalar(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value) && lengthOf(value) <= 1000;
  return typeof value === 'number' || typeof value === 'boolean';
}

/** The customer who is about to leave, as far as the embedding site wants to tell. */
export class CustomerDto {
  @TextField({ description: "The customer's id in your own system.", example: 'cus_4711', max: 200 })
  id: string;

  @EmailField({ description: "The customer's e-mail address.", example: 'ada@example.com', optional: true })
  email?: string;

  @AttributesField({
    description: 'Anything else worth keeping with the session, such as the plan.',
    example: { plan: 'pro', seats: 12 },
    optional: true,
  })
  attributes?: CustomerDetails['attributes'];
}

export class InitSessionDto {
  @TextField({ description: 'The `slug` of a published flow.', example: 'leaving-acme-pro-k3v9x2mq', max: 100 })
  flow_slug: string;

  @ObjectField({ description: 'The customer who is about to leave.', of: () => CustomerDto, optional: true })
  customer?: CustomerDto;
}

const FLOW_SLUG = 'leaving-acme-pro-k3v9x2mq';

export const ApiStart = () =>
  ApiExamples(InitSessionDto, {
    'anonymous (paste the slug of your flow)': { flow_slug: FLOW_SLUG },
    'with the customer (paste the slug of your flow)': {
      flow_slug: FLOW_SLUG,
      customer: { id: 'cus_4711', email: 'ada@example.com', attributes: { plan: 'pro', seats: 12 } },
    },
  });

export class BrandingDto {
  @ApiProperty({ ...COLOR, example: '#4f46e5', description: 'The main colour, in hexadecimal form.' })
  primary_color: string;

  @ApiProperty({
    ...OPTIONAL_WEB_URL,
    example: 'https://acme.example/logo.svg',
    description: "URL of the logo; '' for none.",
  })
  logo_url: string;
}

export class StartedFlowDto {
  @ApiProperty({ ...filledText(200), example: 'Leaving Acme Pro' })
  name: string;

  @ApiProperty({ type: BrandingDto })
  branding: BrandingDto;

  @ApiNodeProperty(['start', 'survey', 'confirm'], { description: 'What to render first.' })
  entry_node: RuntimeNode;
}

export class StartedSessionDto {
  @ApiProperty({
    ...ID,
    example: '5f0c7d0e-3c64-4c3b-9a55-2f7a1f0f9f5b',
    description: 'A credential: whoever knows it controls the session.',
  })
  session_id: string;

  @ApiProperty({ type: StartedFlowDto })
  flow: StartedFlowDto;
}
