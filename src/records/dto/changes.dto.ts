import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IdField, MomentField } from '../../platform/api/fields/fields';
import { MAX_PAGE, type Page, PageInfo, PageQuery } from '../../platform/api/paging/pagination';
import { AnyText, Choice, Id, Many, One, Time } from '../../platform/api/fields/shown';
import { Actor } from '../../tenancy/access/actor';
import { type Action, ACTIONS, SUBJECT_TYPES, type SubjectType } from '../../tenancy/log/actions';
import type { Change } from '../../tenancy/log/change.entity';

export class ListChangesQuery extends PageQuery {
  @IdField({ description: 'Only what this person or API key changed.', optional: true })
  actor?: string;

  @IdField({ description: 'Only what was changed of this thing.', optional: true })
  subject?: string;

  @MomentField({ description: 'Only changes at this time or later.', optional: true })
  from?: string;
}

export class ExportChangesQuery extends OmitType(ListChangesQuery, ['limit', 'cursor']) {}

/** The thing that was changed. */
class SubjectDto {
  @Choice.like(SUBJECT_TYPES, 'flow')
  type: SubjectType;

  @Id.orNull('null for a customer who was erased.', '019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a')
  id: string | null;

  @AnyText(
    2048,
    'The name at that time; of a webhook, the host. Owners who are signed in see the address of an invitation.',
    'Leaving Acme Pro',
  )
  name: string;
}

/** Who changed what, and when. */
export class ChangeDto {
  @Id.like('019a9f3c-b1c2-7d3e-8f40-5162738495a6')
  id: string;

  @Time.like('2026-11-21T09:30:00.000Z')
  at: Date;

  @One(Actor)
  actor: Actor;

  @Choice.like(ACTIONS, 'flow.published')
  action: Action;

  @One(SubjectDto)
  subject: SubjectDto;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    maxProperties: 20,
    example: { fields: ['name'], version: 4, note: 'The new name.' },
    description:
      'More about it, depending on the action: the names of the `fields` that were sent, the new `version` of a flow with ' +
      'its `note`, a `role`. No secrets, and nothing of a customer.',
  })
  details: Record<string, unknown>;

  static of(change: Change): ChangeDto {
    const { id, created_at, action, details } = change;
    return {
      id,
      at: created_at,
      actor: { type: change.actor_type, id: change.actor_id, name: change.actor_name },
      action,
      subject: { type: change.subject_type, id: change.subject_id, name: change.subject_name },
      details,
    };
  }
}

export class ChangeListDto extends PageInfo {
  @Many(ChangeDto, MAX_PAGE)
  changes: ChangeDto[];

  static of({ items, next_cursor }: Page<Change>): ChangeListDto {
    return { changes: items.map((change) => ChangeDto.of(change)), next_cursor };
  }
}
