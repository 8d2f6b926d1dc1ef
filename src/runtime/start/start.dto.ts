import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Field, ObjectField, TextField } from '../../platform/api/fields/fields';
import { MAX_FIELD_ERRORS } from '../../platform/api/problems/problem';
import { BodyErrorDto } from '../../platform/api/problems/problem.dto';
import { LOCALE, LocaleField } from '../../platform/api/fields/language-fields';
import { preferredTag } from '../../platform/text/languages';
import { Id, One, Text } from '../../platform/api/fields/shown';
import { anyText, COLOR, OPTIONAL_WEB_URL } from '../../platform/api/fields/schemas';
import { SHOWN_NODE_TYPES } from '../../flows/graph/graph-limits';
import { isFromOwnPage } from '../../platform/http/files/own-page';
import { idempotencyKeyOf } from '../../platform/http/bodies/idempotency-key';
import { MAX_TOKEN } from '../../workspaces/customer-keys/customer-token';
import { FONT, RADIUS, type Scheme, SCHEMES, setIn } from '../../workspaces/brand';
import type { Workspace } from '../../workspaces/workspace.entity';
import type { FoundFlow } from '../../flows/lookup/flow-lookup.service';
import { ApiNodeProperty } from '../node.dto';
import { type RuntimeNode, shown } from '../shown-node';
import type { StartResult } from './admission-rules';
import { CustomerDto } from './customer.dto';

/** The most characters of a slug in a request. */
export const MAX_SLUG = 100;

export class InitSessionDto {
  @TextField({ description: 'The `slug` of a published flow.', example: 'leaving-acme-pro-k3v9x2mq', max: MAX_SLUG })
  flow_slug: string;

  @LocaleField({
    description:
      "The customer's language. Each text is in it if the flow has it, else in the language without its region, else in the flow's own. " +
      'Without it, the first language of the header `Accept-Language` counts.',
    optional: true,
  })
  locale?: string;

  @ObjectField({ description: 'The customer who is about to leave.', of: () => CustomerDto, optional: true })
  customer?: CustomerDto;

  /** Takes any text: an invalid token is 401, whose response names the cancellation page. A 400 does not. */
  @Field(
    {
      description:
        'In place of `customer`: a JWT in which your backend signs who the customer is. Header `alg`, `kid` (the id of a ' +
        'customer key) and `typ` `retention-customer+jwt`; claims `aud` (the id of the workspace), `sub` (the id of the ' +
        'customer), `iat`, `exp` (an hour later at most), and optionally `email`, `attributes`, `subscription` (its `id` is ' +
        'enough) and `flow` (the only `flow_slug` that it is good for).',
      optional: true,
    },
    anyText(MAX_TOKEN),
    `must be a token of at most ${MAX_TOKEN} characters, and in place of the customer`,
    (value, body) =>
      typeof value === 'string' && value.length <= MAX_TOKEN && (body as InitSessionDto).customer === undefined,
  )
  customer_token?: string;
}

/** The parts of a request for a start other than its body. */
export interface StartContext {
  /** The flow with the slug, as `TenantGuard` found it; undefined if there is none. */
  flow?: FoundFlow;
  /** The language that the header `Accept-Language` prefers. */
  preferredLocale?: string;
  /**
   * The origin of the page; undefined if no browser sent the request across origins, as from a page of this service.
   */
  origin?: string;
  idempotencyKey?: string;
  /** The address of the page of this service that asks; undefined for other pages. */
  ownPage?: string;
}

export const CurrentStart = createParamDecorator((_: unknown, context: ExecutionContext): StartContext => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const { origin, referer, 'accept-language': accepted } = request.headers;
  const isOwn = isFromOwnPage(request);
  return {
    flow: request.flow,
    preferredLocale: preferredTag(accepted),
    origin: isOwn ? undefined : origin,
    ownPage: isOwn ? referer : undefined,
    idempotencyKey: idempotencyKeyOf(request),
  };
});

/** What a workspace looks like. */
export type Branded = Pick<Workspace, 'primary_color' | 'logo_url' | 'brand'>;

export class BrandingDto {
  @ApiProperty({ ...COLOR, example: '#4f46e5', description: 'The main colour, in hexadecimal form.' })
  primary_color: string;

  @ApiProperty({
    ...OPTIONAL_WEB_URL,
    example: 'https://acme.example/logo.svg',
    description: "URL of the logo. Without one it is '', never null.",
  })
  logo_url: string;

  @ApiPropertyOptional({
    ...FONT,
    example: 'Inter, sans-serif',
    description: 'The names of font families; absent: your own.',
  })
  font?: string;

  @ApiPropertyOptional({ ...RADIUS, example: '12px', description: 'Of corners; absent: your own.' })
  radius?: string;

  @ApiPropertyOptional({ enum: SCHEMES, example: 'auto', description: 'Light or dark; absent: your own.' })
  scheme?: Scheme;

  static of({ primary_color, logo_url, brand }: Branded): BrandingDto {
    return { primary_color, logo_url, ...setIn(brand) };
  }
}

export class StartedFlowDto {
  @Text.like(200, 'Leaving Acme Pro')
  name: string;

  @One(BrandingDto)
  branding: BrandingDto;

  @ApiNodeProperty(SHOWN_NODE_TYPES.filter((type) => type !== 'offer'), { description: 'What to render first.' })
  entry_node: RuntimeNode;
}

export class StartedSessionDto {
  @Id(
    'A credential: it drives the session. It belongs to the page of the customer, which may hand it to your backend. ' +
      'Records and lists name the session by its `id` instead.',
    '5f0c7d0e-3c64-8c3b-9a55-2f7a1f0f9f5b',
  )
  session_id: string;

  @ApiProperty({
    ...LOCALE,
    example: 'en',
    description: "The language that was asked for, in canonical form; without any, the flow's.",
  })
  locale: string;

  @One(StartedFlowDto)
  flow: StartedFlowDto;

  @ApiProperty({
    type: [BodyErrorDto],
    required: false,
    maxItems: MAX_FIELD_ERRORS,
    description:
      'What was left out of the session: optional claims of the customer token that break a rule. Without any, the field is missing.',
  })
  warnings?: BodyErrorDto[];

  static of({ session_id, locale, version, workspace, attributes, warnings }: StartResult): StartedSessionDto {
    const entry_node = shown({ version, locale, attributes }, version.definition.entry, null);
    const flow = { name: version.name, branding: BrandingDto.of(workspace), entry_node };
    return { session_id, locale, flow, ...(warnings && { warnings }) };
  }
}
