import { ApiProperty } from '@nestjs/swagger';
import { validateSync } from 'class-validator';
import { ApiExamples } from '../../common/api-examples';
import {
  EmailField,
  Field,
  FieldOptions,
  isAttributeValue,
  isPlainObject,
  ObjectField,
  TextField,
} from '../../common/fields';
import { anyText, ATTRIBUTES, COLOR, filledText, ID, MAX_ATTRIBUTES, OPTIONAL_WEB_URL } from '../../common/schemas';
import { SHOWN_NODE_TYPES, shownNodeOf } from '../../flows/flow-definition';
import { type CustomerClaims, MAX_TOKEN } from '../../workspaces/customer-token';
import type { CustomerDetails } from '../flow-session.entity';
import { ApiNodeProperty, type RuntimeNode, shown } from '../node.dto';
import type { Admitted } from './admission-rules';

function AttributesField(options: FieldOptions) {
  return Field(
    options,
    ATTRIBUTES,
    `must be an object of at most ${MAX_ATTRIBUTES} names and texts (1000 characters), numbers, booleans or nulls`,
    (value) =>
      isPlainObject(value) &&
      Object.keys(value).length <= MAX_ATTRIBUTES &&
      Object.values(value).every(isAttributeValue),
  );
}

/** Takes any text: a token that is not good is 401, which tells the customer the way out. A 400 does not. */
function TokenField(options: FieldOptions) {
  return Field(
    options,
    anyText(MAX_TOKEN),
    `must be a token of at most ${MAX_TOKEN} characters, and in place of the customer`,
    (value, body) =>
      typeof value === 'string' && value.length <= MAX_TOKEN && (body as InitSessionDto).customer === undefined,
  );
}

/** What the embedding site says about the customer who is about to leave. */
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

/** The customer of a token; undefined if what it claims breaks a rule of a field. */
export function customerOf({ sub, email, attributes }: CustomerClaims): CustomerDto | undefined {
  const customer = Object.assign(new CustomerDto(), { id: sub, email, attributes });
  return validateSync(customer).length === 0 ? customer : undefined;
}

/** The most characters of a slug in a request. */
export const MAX_SLUG = 100;

export class InitSessionDto {
  @TextField({ description: 'The `slug` of a published flow.', example: 'leaving-acme-pro-k3v9x2mq', max: MAX_SLUG })
  flow_slug: string;

  @ObjectField({ description: 'The customer who is about to leave.', of: () => CustomerDto, optional: true })
  customer?: CustomerDto;

  @TokenField({
    description:
      'In place of `customer`: a JWT in which your backend signs who the customer is. Header `alg`, `kid` (the id of a ' +
      'customer key) and `typ` `retention-customer+jwt`; claims `aud` (the id of the workspace), `sub` (the id of the ' +
      'customer), `iat`, `exp` (an hour later at most), and optionally `email`, `attributes` and `flow` (the only ' +
      '`flow_slug` that it is good for).',
    optional: true,
  })
  customer_token?: string;
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

  @ApiNodeProperty(SHOWN_NODE_TYPES.filter((type) => type !== 'offer'), { description: 'What to render first.' })
  entry_node: RuntimeNode;
}

export class StartedSessionDto {
  @ApiProperty({
    ...ID,
    example: '5f0c7d0e-3c64-8c3b-9a55-2f7a1f0f9f5b',
    description:
      'A credential: it drives the session. It belongs to the page of the customer, which may hand it to your backend. ' +
      'Records and lists name the session by its `id` instead.',
  })
  session_id: string;

  @ApiProperty({ type: StartedFlowDto })
  flow: StartedFlowDto;

  static of({ session_id, version, workspace: { primary_color, logo_url } }: Admitted): StartedSessionDto {
    const entry_node = shown(shownNodeOf(version.definition, version.definition.entry), null);
    return { session_id, flow: { name: version.name, branding: { primary_color, logo_url }, entry_node } };
  }
}
