import { ApiProperty, OmitType } from '@nestjs/swagger';
import { ChoiceField, IdField, KeyField, MomentField, TextField } from '../../platform/api/fields/fields';
import { LocaleField } from '../../platform/api/fields/language-fields';
import { CursorField, MAX_PAGE, type Page, PageInfo, PageQuery } from '../../platform/api/paging/pagination';
import { AnyText, Choice, Id, Integer, Many, Text, Time } from '../../platform/api/fields/shown';
import { filledText, MAX_ATTRIBUTE_NAME } from '../../platform/api/fields/schemas';
import { pick } from '../../platform/common/pick';
import { MAX_OPTIONS } from '../../conditions/condition-limits';
import { AnswerDto } from '../../runtime/answers';
import { AudienceField, WhereField } from '../../sessions/filter/segment';
import { SESSION_STATUSES, type SessionStatus } from '../../sessions/session-status';

export class ListCommentsQuery extends PageQuery {
  @IdField({ description: 'Only comments in sessions of this flow.', optional: true })
  flow_id?: string;

  @KeyField({
    description: 'Only comments with this reason: an option that was chosen, in whatever survey.',
    optional: true,
  })
  reason?: string;

  @KeyField({ description: 'Another name of `reason`.', optional: true })
  option?: string;

  @ChoiceField({
    description: 'Only comments in sessions that have this status now.',
    values: SESSION_STATUSES,
    optional: true,
  })
  outcome?: SessionStatus;

  @LocaleField({ description: 'Only comments in sessions in exactly this language.', optional: true })
  locale?: string;

  @TextField({
    description:
      'Only comments with all these words, whatever their case and accents: `"too expensive"` in quotes is a phrase, `or` between two ' +
      'words means either, and `-cheap` leaves out comments with the word. Endings count: `price` does not find `prices`. Japanese, ' +
      'Chinese, Korean, Thai, Lao, Khmer and Burmese text is found by any part of it.',
    max: 200,
    example: '"the price" -yearly',
    optional: true,
  })
  q?: string;

  @TextField({
    description: 'Only comments of customers with this attribute, whose value is `value`.',
    max: MAX_ATTRIBUTE_NAME,
    example: 'plan',
    optional: true,
  })
  attribute?: string;

  @TextField({
    description: 'The value of `attribute`, as text. Required with it.',
    max: 1000,
    example: 'pro',
    optional: true,
  })
  value?: string;

  @WhereField('comments in sessions', 'Where few match, say the days, too: all of them are looked through.')
  where?: string;

  @AudienceField('comments')
  audience?: string;

  @MomentField({ description: 'Only comments in sessions that began at this time or later.', optional: true })
  from?: string;

  @MomentField({ description: 'Only comments in sessions that began before this time.', optional: true })
  to?: string;

  // A session may have several comments.
  @CursorField(() => true)
  override cursor?: string;
}

export class ExportCommentsQuery extends OmitType(ListCommentsQuery, ['limit', 'cursor']) {}

/** A customer's comment with their answer and its session. */
export interface Comment extends AnswerDto {
  flow_session_id: string;
  /** The position of the step within its session. */
  position: number;
  flow_id: string;
  flow_version: number;
  status_now: SessionStatus;
  customer_id: string | null;
  comment: string;
  own_label: string;
  labels: string[];
  own_labels: string[];
  created_at: Date;
}

/** @property flow_name the one of now */
export type ExportedComment = Comment & { flow_name: string };

const LABELS = { type: 'array', items: filledText(200), maxItems: MAX_OPTIONS, example: ['Too expensive'] } as const;

export class CommentDto extends OmitType(AnswerDto, ['comment']) {
  @AnyText.like(5000, 'Twice the price of last year.')
  comment: string;

  @ApiProperty({ ...LABELS, description: 'All chosen options as the customer read them, in the order of the survey.' })
  labels: string[];

  @ApiProperty({ ...LABELS, description: 'All chosen options in the own language of the flow.' })
  own_labels: string[];

  @Id("The id of the session's record.", '019a9f3c-a1b2-7c3d-9e4f-5a6b7c8d9e0f')
  flow_session_id: string;

  @Id.like('019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a')
  flow_id: string;

  @Integer(1, 'The version of the flow that the session stays on.', 1)
  flow_version: number;

  @Choice(SESSION_STATUSES, 'The status of the session now.', 'canceled')
  status: SessionStatus;

  @Text.orNull(200, undefined, 'cus_4711')
  customer_id: string | null;

  @Time('When it was written.', '2026-11-21T09:31:00.000Z')
  created_at: Date;

  static of(comment: Comment): CommentDto {
    const { status_now: status } = comment;
    const answer = pick(comment, ['node_key', 'option', 'label', 'own_label', 'labels', 'own_labels', 'comment']);
    return {
      ...answer,
      ...pick(comment, ['flow_session_id', 'flow_id', 'flow_version', 'customer_id', 'created_at']),
      status,
    };
  }
}

export class CommentListDto extends PageInfo {
  @Many(CommentDto, MAX_PAGE)
  comments: CommentDto[];

  static of({ items, next_cursor }: Page<Comment>): CommentListDto {
    return { comments: items.map((comment) => CommentDto.of(comment)), next_cursor };
  }
}
