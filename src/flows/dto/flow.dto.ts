import { ApiProperty } from '@nestjs/swagger';
import { ChoiceField } from '../../common/fields';
import type { Metadata } from '../../common/metadata';
import { MAX_PAGE, type Page, PageInfo, PageQuery } from '../../common/pagination';
import { AMOUNT, anyText, EMAIL, filledText, ID, integer, METADATA, TIMESTAMP, WEB_URL } from '../../common/schemas';
import { type FlowDefinition, MAX_NODES } from '../flow-definition';
import { CurrentFlow, FLOW_MODES, type FlowMode } from '../flow-version.entity';
import { FLOW_STATUSES, type FlowStatus } from '../flow.entity';
import { FlowDefinitionDto } from './flow-definition.dto';

export class ListFlowsQuery extends PageQuery {
  @ChoiceField({
    description: 'Only flows with this status. Without it, all but archived ones.',
    values: FLOW_STATUSES,
    optional: true,
  })
  status?: FlowStatus;
}

/** Up to 60 characters of the name, and 8 random ones. */
const SLUG = { type: 'string', pattern: '^[a-z0-9-]+$', maxLength: 69 } as const;

export class FlowListItemDto {
  @ApiProperty({ ...ID, example: '019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a' })
  id: string;

  @ApiProperty({ ...filledText(200), example: 'Leaving Acme Pro' })
  name: string;

  @ApiProperty({
    ...SLUG,
    example: 'leaving-acme-pro-k3v9x2mq',
    description: 'What the widget starts sessions with. It never changes.',
  })
  slug: string;

  @ApiProperty({ ...filledText(200), example: 'Acme Pro' })
  product_name: string;

  @ApiProperty({ enum: FLOW_STATUSES, example: 'published', description: 'Only a `published` flow can be started.' })
  status: FlowStatus;

  @ApiProperty({
    enum: FLOW_MODES,
    example: 'simple',
    description: 'Who makes the graph: the service (`simple`) or you (`advanced`).',
  })
  flow_mode: FlowMode;

  @ApiProperty({ ...integer(1), example: 1, description: 'Goes up by one with each change to what customers see.' })
  current_version: number;

  @ApiProperty({ ...TIMESTAMP, example: '2026-11-21T09:30:00.000Z' })
  updated_at: Date;
}

export class FlowListDto extends PageInfo {
  @ApiProperty({ type: [FlowListItemDto], maxItems: MAX_PAGE })
  flows: FlowListItemDto[];

  static of({ items, next_cursor }: Page<FlowListItemDto>): FlowListDto {
    return { flows: items, next_cursor };
  }
}

export class FlowDto extends FlowListItemDto {
  @ApiProperty({ ...WEB_URL, example: 'https://acme.example/account/cancel' })
  cancellation_url: string;

  @ApiProperty({ ...anyText(5000), nullable: true, example: 'For monthly plans.' })
  description: string | null;

  @ApiProperty({ ...AMOUNT, nullable: true, example: 49.9 })
  estimated_monthly_value: number | null;

  @ApiProperty({ ...EMAIL, nullable: true, example: 'retention@acme.example' })
  notification_email: string | null;

  @ApiProperty({ ...METADATA, example: { stripe_product: 'prod_pro' }, description: 'Your own; no customer sees it.' })
  metadata: Metadata;

  @ApiProperty({
    type: 'array',
    items: ID,
    maxItems: MAX_NODES,
    example: [],
    description: 'The offers that the graph presents.',
  })
  offer_ids: string[];

  @ApiProperty({ type: FlowDefinitionDto, description: 'The graph that customers walk through.' })
  definition: FlowDefinition;

  @ApiProperty({ ...TIMESTAMP, example: '2026-11-21T09:30:00.000Z' })
  created_at: Date;

  static of(flow: CurrentFlow): FlowDto {
    const { id, slug, status, current_version, description, estimated_monthly_value, notification_email } = flow;
    const { name, product_name, cancellation_url, flow_mode, offer_ids, definition } = flow;
    const { metadata, created_at, updated_at } = flow;
    return {
      id,
      name,
      slug,
      product_name,
      cancellation_url,
      status,
      flow_mode,
      current_version,
      description,
      estimated_monthly_value,
      notification_email,
      metadata,
      offer_ids,
      definition,
      created_at,
      updated_at,
    };
  }
}

export class CreatedFlowDto {
  @ApiProperty({ ...ID, example: '019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a' })
  id: string;

  @ApiProperty({ ...filledText(200), example: 'Leaving Acme Pro' })
  name: string;

  @ApiProperty({
    ...SLUG,
    example: 'leaving-acme-pro-k3v9x2mq',
    description: 'What the widget starts sessions with, once the flow is published.',
  })
  slug: string;
}
