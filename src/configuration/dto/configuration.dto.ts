import { ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
import { ApiExamples } from '../../platform/api/fields/api-examples';
import {
  ChoiceField,
  Field,
  ObjectField,
  PatternField,
  QueryBooleanField,
  UrlField,
} from '../../platform/api/fields/fields';
import { isPlainObject } from '../../platform/common/json';
import { OwnKeyField } from '../../platform/api/fields/own-key-field';
import { AnyText, Choice, Integer, OwnKey } from '../../platform/api/fields/shown';
import { ANY_JSON, OWN_KEY } from '../../platform/api/fields/schemas';
import { MAX_POINTER } from '../../platform/api/problems/problem.dto';
import { CreateWebhookDto } from '../../events/webhooks/webhook.dto';
import { CreateAudienceDto } from '../../flows/audiences/audience.dto';
import { CreateFlowDto } from '../../flows/dto/change-flow.dto';
import { ExitFieldsDto } from '../../flows/dto/flow-exit.dto';
import type { FlowStatus } from '../../flows/flow.entity';
import { MAX_NODES, MAX_OFFERS } from '../../flows/graph/graph-limits';
import { CreateOfferDto } from '../../offers/dto/offer.dto';
import { OFFER_STATUSES, type OfferStatus } from '../../offers/offer.entity';
import { UpdateOwnWorkspaceDto } from '../../workspaces/dto/workspace.dto';
import type { Difference } from '../differences';

/** The most pictures that a dry run takes for uploaded. */
const MAX_REHEARSED = 100;
const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const IDS = {
  type: 'string',
  pattern: `^${UUID}(,${UUID}){0,${MAX_REHEARSED - 1}}$`,
  maxLength: 37 * MAX_REHEARSED,
} as const;

/** The most differences of an entry that a plan lists. */
export const MAX_DIFFERENCES = 1000;

/** The most offers, flows and webhooks of a document together. */
export const MAX_THINGS = 10_000;

export const KINDS = ['audience', 'offer', 'flow', 'webhook', 'settings'] as const;
export type Kind = (typeof KINDS)[number];

const KEY = { description: 'What the document calls it.', example: 'half-price' };

/** An audience in a document. */
export class ConfigAudienceDto extends OmitType(CreateAudienceDto, ['key']) {
  @OwnKeyField({ ...KEY, example: 'loyal' })
  key: string;
}

/** An offer in a document. What an entry leaves out stays as it is; a new one gets its default. */
export class ConfigOfferDto extends OmitType(CreateOfferDto, ['key']) {
  @OwnKeyField(KEY)
  key: string;

  @ChoiceField({
    description: 'An archived offer is in the document only if a flow names it, which passes over it.',
    values: OFFER_STATUSES,
    example: 'active',
    default: 'active',
    optional: true,
  })
  status?: OfferStatus;
}

const OF_ENVIRONMENT = 'It is of one environment: read it with `environment=true`.';

/** The exit page of a flow in a document. What is left out stays as it is. */
export class ConfigExitDto extends PartialType(ExitFieldsDto, { skipNullProperties: false }) {}

/** A flow in a document, live as it is, without its draft. */
export class ConfigFlowDto extends OmitType(CreateFlowDto, [
  'key',
  'status',
  'offer_ids',
  'definition',
  'exit',
  'cancellation_url',
]) {
  @OwnKeyField({ ...KEY, example: 'leaving-pro' })
  key: string;

  @UrlField({
    description: `Where the customer is redirected on cancel. A new flow has to have one. ${OF_ENVIRONMENT}`,
    example: 'https://acme.example/account/cancel',
    optional: true,
  })
  cancellation_url?: string;

  @ObjectField({
    description: 'The page for customers who leave without a session. null: none.',
    of: () => ConfigExitDto,
    default: null,
    optional: true,
    nullable: true,
  })
  exit?: ConfigExitDto | null;

  @ChoiceField({
    description: 'Without it, the status stays as it is. A new flow, or one that was archived, is a draft.',
    values: ['draft', 'published'],
    example: 'published',
    optional: true,
  })
  status?: FlowStatus;

  @Field(
    {
      description: 'Simple flows only: the keys of offers, in the order in which they are presented.',
      example: ['half-price'],
      default: [],
      optional: true,
    },
    { type: 'array', items: OWN_KEY, uniqueItems: true, maxItems: MAX_NODES },
    `must be a list of at most ${MAX_OFFERS} keys of offers, without duplicates`,
    (value) => Array.isArray(value) && value.length <= MAX_OFFERS && new Set(value).size === value.length,
  )
  offer_keys?: unknown[];

  @Field(
    {
      description:
        'Advanced flows only: the graph, in which the `config` of an offer has its `offer_key`, not its `offer_id`, and a condition the ' +
        '`audience_key` of an audience, not its id.',
      example: { entry: 'sure', nodes: [{ key: 'sure', type: 'confirm', config: { title: 'Cancel?' } }] },
      optional: true,
    },
    { type: 'object', additionalProperties: true },
    'must be an object',
    isPlainObject,
  )
  definition?: object;
}

/** A webhook in a document, without its secret and its write key, which stay as they are stored. */
export class ConfigWebhookDto extends OmitType(CreateWebhookDto, ['key', 'write_key']) {
  @OwnKeyField({ ...KEY, example: 'billing' })
  key: string;
}

const list = (type: new () => object, description: string) =>
  ApiProperty({ type: [type], maxItems: MAX_THINGS, required: false, description });

/** A workspace as a document. A section that is missing is left alone. */
export class ConfigDto {
  @ApiProperty({ type: UpdateOwnWorkspaceDto, required: false, description: 'Settings of the workspace.' })
  settings?: UpdateOwnWorkspaceDto;

  @list(ConfigAudienceDto, 'Audiences.')
  audiences?: ConfigAudienceDto[];

  @list(ConfigOfferDto, 'Active offers.')
  offers?: ConfigOfferDto[];

  @list(ConfigFlowDto, 'Flows that are not archived.')
  flows?: ConfigFlowDto[];

  @list(ConfigWebhookDto, 'Webhooks that are enabled.')
  webhooks?: ConfigWebhookDto[];
}

export class ConfigQuery {
  @QueryBooleanField({
    description:
      'true: with what is of one environment: the webhooks, the settings but for `primary_color`, `logo_url` and `brand`, and of flows ' +
      '`cancellation_url`, `notification_email`, `install`, `exit.recipient_email` and `exit.confirmation_from`.',
    default: false,
    optional: true,
  })
  environment: boolean = false;
}

export class ApplyQuery {
  @QueryBooleanField({
    description: 'true: says what would change, and changes nothing.',
    default: false,
    optional: true,
  })
  dry_run: boolean = false;

  @QueryBooleanField({
    description:
      'true: archives the offers and flows, disables the webhooks and deletes the audiences that a section of the document does not name.',
    default: false,
    optional: true,
  })
  prune: boolean = false;

  @PatternField(
    {
      description: `Only with \`dry_run=true\`: the ids of pictures, separated by commas, that will be uploaded before the document is applied. At most ${MAX_REHEARSED}.`,
      optional: true,
    },
    IDS,
    `must be 1 to ${MAX_REHEARSED} ids (UUID), separated by commas`,
  )
  images?: string;
}

class ConfigChangeDto implements Difference {
  @AnyText(
    MAX_POINTER,
    'JSON Pointer (RFC 6901) into the document; of what is gone, to where it was, or to the list that it was in.',
    '/offers/0/heading',
  )
  pointer: string;

  @ApiProperty({
    ...ANY_JSON,
    example: 'Half price for three months',
    description: 'What is stored; null where there is nothing.',
  })
  old: unknown;

  @ApiProperty({
    ...ANY_JSON,
    example: 'Stay for half the price',
    description: 'What the document says; null where it has nothing.',
  })
  new: unknown;
}

class PlannedDto {
  @Choice.like(KINDS, 'offer')
  kind: Kind;

  @OwnKey.like('half-price')
  key: string;
}

class PlannedUpdateDto extends PlannedDto {
  @ApiProperty({
    type: 'array',
    items: { type: 'string', maxLength: 63 },
    maxItems: 100,
    example: ['heading'],
    description:
      'The fields that differ. `audiences` of a flow: an audience that it names differs, and the flow is published with it.',
  })
  fields: string[];

  @ApiProperty({
    type: [ConfigChangeDto],
    maxItems: MAX_DIFFERENCES,
    description: `What differs in them, the first ${MAX_DIFFERENCES}; of the URL of a webhook, its host alone. Nodes of graphs and options of questions are compared with those of the same key.`,
  })
  changes: ConfigChangeDto[];
}

const planned = (type: new () => object, description: string) =>
  ApiProperty({ type: [type], maxItems: MAX_THINGS, description });

/** The changes that a document would make, or has made. */
export class ConfigPlanDto {
  @planned(PlannedDto, 'What is new.')
  create: PlannedDto[];

  @planned(PlannedUpdateDto, 'What differs.')
  update: PlannedUpdateDto[];

  @planned(PlannedDto, 'What the document does not name, with `prune`.')
  archive: PlannedDto[];

  @Integer(0, 'How many things are as the document says.', 12)
  unchanged: number;
}

export const ApiDocument = () =>
  ApiExamples(ConfigDto, {
    'an offer and a flow': {
      offers: [{ key: 'half-price', name: 'Half price', offer_type: 'discount_percentage', offer_value: '50%' }],
      flows: [
        {
          key: 'leaving-pro',
          status: 'published',
          name: 'Leaving Acme Pro',
          product_name: 'Acme Pro',
          cancellation_url: 'https://acme.example/account/cancel',
          offer_keys: ['half-price'],
        },
      ],
    },
    'settings alone': { settings: { primary_color: '#4f46e5' } },
  });
