import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { ChoiceField, IdField, MomentField, TextField } from '../../common/fields';
import { MAX_PAGE, type Page, PageInfo, PageQuery } from '../../common/pagination';
import { anyText, ATTRIBUTES, EMAIL, filledText, ID, integer, KEY, TIMESTAMP } from '../../common/schemas';
import { SHOWN_NODE_TYPES, MAX_NODES } from '../../flows/flow-definition';
import { OfferRecordDto } from '../../offers/dto/offer-content.dto';
import { recordOf } from '../../offers/offer-content';
import { type Answer, SAVED_REASONS, type SavedReason, savedReasonOf } from '../../runtime/answers';
import { AnswerDto } from '../../runtime/answers.dto';
import { type CustomerDetails, FlowSession } from '../../runtime/flow-session.entity';
import { SESSION_STATUSES, type SessionStatus } from '../../runtime/session-status';
import { SessionStep } from '../../runtime/session-step.entity';
import { STEP_ACTIONS } from '../../runtime/step/next-step';

export class ListSessionsQuery extends PageQuery {
  @IdField({ description: 'Only sessions of this flow.', optional: true })
  flow_id?: string;

  @ChoiceField({ description: 'Only sessions that have this status now.', values: SESSION_STATUSES, optional: true })
  status?: SessionStatus;

  @TextField({ description: 'Only sessions of this customer.', max: 200, optional: true })
  customer_id?: string;

  @MomentField({ description: 'Only sessions that began at this time or later.', optional: true })
  from?: string;

  @MomentField({ description: 'Only sessions that began before this time.', optional: true })
  to?: string;

  @MomentField({
    description:
      'Only sessions that started, took a step or ended at this time or later, for polling: begin with any time, then ' +
      'send the `updated_until` of the last poll. Not later than now. Becoming `abandoned` and erasing are no changes.',
    optional: true,
  })
  updated_since?: string;
}

export class ExportSessionsQuery extends OmitType(ListSessionsQuery, ['limit', 'cursor', 'updated_since']) {}

/** What a list shows of a session. */
export const LISTED = [
  'id',
  'flow_id',
  'flow_version',
  'status_now',
  'customer_id',
  'customer_verified',
  'accepted_offer',
  'created_at',
  'updated_at',
] as const satisfies (keyof FlowSession)[];

export type ListedSession = Pick<FlowSession, (typeof LISTED)[number]> & { answers: Answer[] };

/** What a file has of a session. */
export const EXPORTED = [...LISTED, 'customer'] as const;

export type ExportedSession = ListedSession & Pick<FlowSession, 'customer'>;

export interface SessionRecord {
  session: FlowSession;
  /** Oldest first. */
  steps: SessionStep[];
  answers: Answer[];
}

/** @property updated_until null unless changes were asked for */
export type SessionPage = Page<ListedSession> & { updated_until: Date | null };

export class SessionListItemDto {
  @ApiProperty({ ...ID, example: '019a9f3c-a1b2-7c3d-9e4f-5a6b7c8d9e0f' })
  id: string;

  @ApiProperty({ ...ID, example: '019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a' })
  flow_id: string;

  @ApiProperty({ ...integer(1), example: 1, description: 'The version of the flow that the session stays on.' })
  flow_version: number;

  @ApiProperty({
    enum: SESSION_STATUSES,
    example: 'saved',
    description: 'The status now. `abandoned`: in progress, but without a step for 24 hours.',
  })
  status: SessionStatus;

  @ApiProperty({ ...filledText(200), nullable: true, example: 'cus_4711' })
  customer_id: string | null;

  @ApiProperty({
    type: 'boolean',
    example: true,
    description: 'Whether your backend signed who the customer is. false: the page said so, or there is no customer.',
  })
  customer_verified: boolean;

  @ApiProperty({ type: OfferRecordDto, nullable: true, description: 'As it was shown when it was accepted.' })
  accepted_offer: OfferRecordDto | null;

  @ApiProperty({
    enum: SAVED_REASONS,
    nullable: true,
    example: 'offer_accepted',
    description: 'Why the session is saved; null unless it is. `kept`: without an offer.',
  })
  reason: SavedReason | null;

  @ApiProperty({ type: [AnswerDto], maxItems: MAX_NODES, description: 'The answers so far, oldest first.' })
  answers: AnswerDto[];

  @ApiProperty({ ...TIMESTAMP, example: '2026-11-21T09:30:00.000Z' })
  created_at: Date;

  @ApiProperty({
    ...TIMESTAMP,
    example: '2026-11-21T09:31:00.000Z',
    description: 'The time of the last step, or of the start.',
  })
  updated_at: Date;

  static of(session: ListedSession): SessionListItemDto {
    const { id, flow_id, flow_version, status_now, customer_id, customer_verified, accepted_offer } = session;
    const { answers, created_at, updated_at } = session;
    return {
      id,
      flow_id,
      flow_version,
      status: status_now,
      customer_id,
      customer_verified,
      accepted_offer: accepted_offer && recordOf(accepted_offer),
      reason: status_now === 'saved' ? savedReasonOf(accepted_offer) : null,
      answers,
      created_at,
      updated_at,
    };
  }
}

export class SessionListDto extends PageInfo {
  @ApiProperty({ type: [SessionListItemDto], maxItems: MAX_PAGE })
  sessions: SessionListItemDto[];

  @ApiProperty({
    ...TIMESTAMP,
    nullable: true,
    example: null,
    description:
      'With `updated_since`: the end of the span that this poll covers, the same on all its pages. Send it as the ' +
      '`updated_since` of the next poll, and every change is seen once. It is a second ago, or longer while changes are ' +
      'being committed. Otherwise null.',
  })
  updated_until: Date | null;

  static of({ items, next_cursor, updated_until }: SessionPage): SessionListDto {
    return { sessions: items.map((session) => SessionListItemDto.of(session)), next_cursor, updated_until };
  }
}

export class TakenStepDto {
  @ApiProperty({ ...KEY, example: 'reason' })
  node_key: string;

  @ApiProperty({ enum: SHOWN_NODE_TYPES, example: 'survey' })
  node_type: SessionStep['node_type'];

  @ApiProperty({ enum: STEP_ACTIONS, example: 'answer' })
  action: SessionStep['action'];

  @ApiProperty({ ...KEY, nullable: true, example: 'too_expensive' })
  option: string | null;

  @ApiProperty({ ...anyText(5000), nullable: true, example: 'Twice the price of last year.' })
  comment: string | null;

  @ApiProperty({
    type: OfferRecordDto,
    nullable: true,
    description: 'The offer that was presented, as it was shown; null at other nodes.',
  })
  offer: OfferRecordDto | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: KEY,
    nullable: true,
    example: { who: '0', discount_or_pause: 'pause' },
    description:
      'The ways that branches and splits sent the customer between this node and the next, by the key of the branch or split. ' +
      'The way of a split is its name; the way of a branch is its index from 0, or `next`. null if there was neither.',
  })
  ways: Record<string, string> | null;

  @ApiProperty({ ...TIMESTAMP, example: '2026-11-21T09:31:00.000Z' })
  at: Date;

  static of({ node_key, node_type, action, option, comment, offer, ways, created_at }: SessionStep): TakenStepDto {
    return { node_key, node_type, action, option, comment, offer: offer && recordOf(offer), ways, at: created_at };
  }
}

export class CustomerDetailsDto implements CustomerDetails {
  @ApiPropertyOptional({ ...EMAIL, example: 'ada@example.com' })
  email?: string;

  @ApiPropertyOptional({ ...ATTRIBUTES, example: { plan: 'pro', seats: 12 } })
  attributes?: CustomerDetails['attributes'];
}

export class SessionRecordDto extends SessionListItemDto {
  @ApiProperty({
    type: CustomerDetailsDto,
    nullable: true,
    example: { email: 'ada@example.com', attributes: { plan: 'pro' } },
    description: 'What the page, or the customer token, said about the customer.',
  })
  customer: CustomerDetails | null;

  @ApiProperty({
    ...KEY,
    nullable: true,
    example: null,
    description: 'The key of the node where the customer stands; null at the end.',
  })
  current_node: string | null;

  @ApiProperty({ type: [TakenStepDto], maxItems: MAX_NODES, description: 'Oldest first.' })
  steps: TakenStepDto[];

  static ofRecord({ session, steps, answers }: SessionRecord): SessionRecordDto {
    return {
      ...SessionListItemDto.of({ ...session, answers }),
      customer: session.customer,
      current_node: session.status === 'in_progress' ? session.current_node_key : null,
      steps: steps.map((step) => TakenStepDto.of(step)),
    };
  }
}
