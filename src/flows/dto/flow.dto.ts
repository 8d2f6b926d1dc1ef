import { ApiProperty, ApiPropertyOptional, IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { UpdatedDto } from '../../platform/api/changed.dto';
import { ChoiceField } from '../../platform/api/fields/fields';
import { OwnKeyField } from '../../platform/api/fields/own-key-field';
import { LOCALE } from '../../platform/api/fields/language-fields';
import { NamePartField } from '../../platform/api/paging/name-part';
import { MAX_PAGE, type Page, PageInfo, PageQuery } from '../../platform/api/paging/pagination';
import { pick } from '../../platform/common/pick';
import { AnyText, Choice, Flag, Id, Integer, Many, OwnKey, Time } from '../../platform/api/fields/shown';
import { anyText, ID } from '../../platform/api/fields/schemas';
import { LOST_IMAGE } from '../../images/images.service';
import { MAX_WARNINGS } from '../languages/flow-languages.service';
import { MAX_NODES } from '../graph/graph-limits';
import { FLOW_CONTENT } from '../versions/flow-content-fields';
import type { FlowContent } from '../versions/flow-version.entity';
import { FLOW_STATUSES, type FlowStatus } from '../flow.entity';
import type { Version } from '../../tenancy/versions/versions';
import { VersionListItemDto } from '../../tenancy/versions/versions.dto';
import { FlowFieldsDto } from './change-flow.dto';

export class ListFlowsQuery extends PageQuery {
  @ChoiceField({
    description: 'Only flows with this status. Without it, all but archived ones.',
    values: FLOW_STATUSES,
    optional: true,
  })
  status?: FlowStatus;

  @OwnKeyField({ description: 'Only the flow with this `key`.', optional: true })
  key?: string;

  @OwnKeyField({ description: 'Only the flow with this `slug`.', optional: true })
  slug?: string;

  @NamePartField('flows')
  q?: string;
}

/** The fields of a flow that the service sets. */
class FlowStateDto {
  @Id.like('019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a')
  id: string;

  @ApiProperty({
    type: 'string',
    pattern: '^[a-z0-9-]+$',
    maxLength: 63,
    example: 'leaving-acme-pro-k3v9x2mq',
    description: 'What the widget starts sessions with. It never changes.',
  })
  slug: string;

  @Choice(FLOW_STATUSES, 'Only a `published` flow can be started.', 'published')
  status: FlowStatus;

  @Integer(1, 'Goes up by one with each change to a field that versions have.', 1)
  current_version: number;

  @Time.like('2026-11-21T09:30:00.000Z')
  updated_at: Date;
}

export class FlowListItemDto extends IntersectionType(
  OmitType(FlowStateDto, ['updated_at']),
  PickType(FlowFieldsDto, ['name', 'product_name', 'flow_mode']),
) {
  @Time.like('2026-11-21T09:30:00.000Z')
  updated_at: string;
}

export class FlowListDto extends PageInfo {
  @Many(FlowListItemDto, MAX_PAGE)
  flows: FlowListItemDto[];

  static of({ items, next_cursor }: Page<FlowListItemDto>): FlowListDto {
    return { flows: items, next_cursor };
  }
}

export class FlowDto extends IntersectionType(FlowStateDto, FlowFieldsDto) {
  @OwnKey.orNull('null: none was chosen.', 'leaving-pro')
  key: string | null;

  @ApiProperty({
    type: 'array',
    items: ID,
    maxItems: MAX_NODES,
    example: [],
    description: 'The offers that the graph presents.',
  })
  offer_ids: string[];

  @Flag(
    'Whether an audience that the current version names was changed since: customers go by what it was. Publish the flow again to take ' +
      'the new one: `PUT` with `{"status": "published"}`.',
    false,
  )
  audiences_changed: boolean;

  @Time.like('2026-11-21T09:30:00.000Z')
  created_at: Date;
}

/** What is missing for customers, although the flow is live, or what the change does to its experiments. */
export class FlowWarningDto {
  @AnyText(
    1000,
    'A JSON Pointer to the text in the flow, to where it names an offer with texts that are missing, to a picture that was deleted, or to a split.',
    '/definition/nodes/0/config/title',
  )
  pointer: string;

  @ApiPropertyOptional({
    ...LOCALE,
    example: 'de',
    description: 'The language in which the text is missing: customers read it in that of the flow.',
  })
  locale?: string;

  @ApiPropertyOptional({
    ...anyText(500),
    example: LOST_IMAGE,
    description: 'What is to be known, if no text is missing.',
  })
  message?: string;
}

/** Documents the gaps in the languages of a flow. */
export const ApiWarnings = () =>
  ApiPropertyOptional({
    type: [FlowWarningDto],
    maxItems: MAX_WARNINGS,
    description: `What is missing in the languages of a flow that is published, pictures that were deleted since the version that is restored, and splits whose arms, weights or plan change, the first ${MAX_WARNINGS}; absent if nothing is.`,
  });

export class UpdatedFlowDto extends UpdatedDto {
  @ApiWarnings()
  warnings?: FlowWarningDto[];
}

export class CreatedFlowDto extends PickType(FlowListItemDto, ['id', 'name', 'slug']) {}

/** A version of a flow: everything that its sessions depend on. */
export class FlowVersionDto extends IntersectionType(VersionListItemDto, PickType(FlowDto, FLOW_CONTENT)) {
  static of(version: Version<FlowContent>): FlowVersionDto {
    return pick(version, ['version', 'note', 'published_by', 'created_at', ...FLOW_CONTENT]);
  }
}
