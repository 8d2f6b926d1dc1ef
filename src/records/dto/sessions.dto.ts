import { ApiProperty, OmitType } from '@nestjs/swagger';
import { FULFILMENT_FILTERS, FulfilmentDto, type FulfilmentFilter } from '../../billing/dto/fulfilment.dto';
import {
  ChoiceField,
  IdField,
  MomentField,
  TextField,
  KeyField,
  QueryChoicesField,
} from '../../platform/api/fields/fields';
import { LOCALE, LocaleField } from '../../platform/api/fields/language-fields';
import { MAX_PAGE, type Page, PageInfo, PageQuery } from '../../platform/api/paging/pagination';
import { Choice, Flag, Id, Integer, Many, One, Text, Time } from '../../platform/api/fields/shown';
import { OfferRecordDto } from '../../offers/dto/offer-content.dto';
import { recordOf } from '../../offers/shown-offer';
import {
  AnswerDto,
  MAX_ANSWERS,
  type Results,
  RESULTS,
  SAVED_REASONS,
  type SavedReason,
  savedReasonOf,
} from '../../runtime/answers';
import { AudienceField, WhereField } from '../../sessions/filter/segment';
import type { FlowSession } from '../../sessions/flow-session.entity';
import { SESSION_SOURCES, type SessionSource, SOURCE } from '../../sessions/session-source';
import { SESSION_STATUSES, STATUSES_TEXT, type SessionStatus } from '../../sessions/session-status';

export class ListSessionsQuery extends PageQuery {
  @IdField({ description: 'Only sessions of this flow.', optional: true })
  flow_id?: string;

  @QueryChoicesField({
    description: 'Only sessions that have this status now. Several are separated by commas: `status=saved,canceled`.',
    values: SESSION_STATUSES,
    optional: true,
  })
  status?: SessionStatus[];

  @LocaleField({ description: 'Only sessions in exactly this language.', optional: true })
  locale?: string;

  @TextField({ description: 'Only sessions of this customer.', max: 200, optional: true })
  customer_id?: string;

  @TextField({ description: 'Only sessions of this subscription.', max: 200, optional: true })
  subscription_id?: string;

  @IdField({ description: 'Only sessions that this offer saved.', optional: true })
  offer_id?: string;

  @KeyField({
    description:
      'Only sessions with this reason: an option that was chosen, in whatever survey. Where few have it, say the days, too: all of them are looked through.',
    optional: true,
  })
  reason?: string;

  @TextField({
    description:
      'Only sessions of the customer who has this e-mail (upper and lower case are the same) or this id, or whose `id` begins ' +
      'with this (8 characters or more), or whose `session_id` is this.',
    max: 254,
    optional: true,
  })
  search?: string;

  @ChoiceField({
    description:
      'Only sessions with this state of `fulfilment`; `attention`: those that need a person, which are `manual` and `failed`.',
    values: FULFILMENT_FILTERS,
    optional: true,
  })
  fulfilment?: FulfilmentFilter;

  @WhereField('sessions', 'Where few match, say the days, too: all of them are looked through.')
  where?: string;

  @AudienceField('sessions')
  audience?: string;

  @MomentField({ description: 'Only sessions that began at this time or later.', optional: true })
  from?: string;

  @MomentField({ description: 'Only sessions that began before this time.', optional: true })
  to?: string;

  @MomentField({
    description:
      'Only sessions that started, took a step or ended at this time or later, for polling: begin with any time, then ' +
      'send the `updated_until` of the last poll. Not later than now. Becoming `abandoned`, erasing and what becomes of the ' +
      '`fulfilment` are no changes.',
    optional: true,
  })
  updated_since?: string;
}

export class ExportSessionsQuery extends OmitType(ListSessionsQuery, ['limit', 'cursor', 'updated_since']) {}

/** The columns of a list of sessions. */
export const LISTED = [
  'id',
  'flow_id',
  'flow_version',
  'source',
  'locale',
  'status_now',
  'customer_id',
  'customer_verified',
  'accepted_offer',
  'created_at',
  'updated_at',
] as const satisfies (keyof FlowSession)[];

/** @property fulfilment its state in the billing system */
export type ListedSession = Pick<FlowSession, (typeof LISTED)[number]> & {
  answers: AnswerDto[];
  results: Results;
  fulfilment: FulfilmentDto;
};

/** The columns of a session that a file needs. */
export const EXPORTED = [
  ...LISTED,
  'customer',
  'subscription_id',
  'monthly_amount',
  'currency',
  'amount_verified',
  'estimated_monthly_value',
] as const;
export type Column = (typeof EXPORTED)[number];

/** The arm of a split that a customer came to. */
export interface Arm {
  split: string;
  name: string;
}

/** The answers, results and arms of a session, oldest first. */
export interface Walk {
  answers: AnswerDto[];
  results: Results;
  arms: Arm[];
}

export type SessionRow = Pick<FlowSession, Column> & Walk & { fulfilment: FulfilmentDto };

/** @property flow_name the one of now */
export type ExportedSession = SessionRow & { flow_name: string };

/** @property updated_until null unless changes were asked for */
export type SessionPage = Page<ListedSession> & { updated_until: Date | null };

export class SessionListItemDto {
  @Id.like('019a9f3c-a1b2-7c3d-9e4f-5a6b7c8d9e0f')
  id: string;

  @Id.like('019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a')
  flow_id: string;

  @Integer(1, 'The version of the flow that the session stays on.', 1)
  flow_version: number;

  @Choice.orNull(SESSION_SOURCES, SOURCE, null)
  source: SessionSource | null;

  @ApiProperty({
    ...LOCALE,
    example: 'en',
    description:
      "The language that the start asked for, or else the flow's. Answers and offers are worded as they were shown.",
  })
  locale: string;

  @Choice(SESSION_STATUSES, `The status now. ${STATUSES_TEXT}`, 'saved')
  status: SessionStatus;

  @Text.orNull(200, undefined, 'cus_4711')
  customer_id: string | null;

  @Flag('Whether your backend signed who the customer is. false: the page said so, or there is no customer.', true)
  customer_verified: boolean;

  @One.orNull(OfferRecordDto, 'As it was shown when it was accepted.')
  accepted_offer: OfferRecordDto | null;

  @Choice.orNull(
    SAVED_REASONS,
    'Why the session is saved; null unless it is. `kept`: without an offer.',
    'offer_accepted',
  )
  reason: SavedReason | null;

  @Many(AnswerDto, MAX_ANSWERS, 'The answers so far, oldest first.')
  answers: AnswerDto[];

  @ApiProperty(RESULTS)
  results: Results;

  @One(FulfilmentDto, 'What became of the accepted offer, or of the cancellation, in the billing system.')
  fulfilment: FulfilmentDto;

  @Time.like('2026-11-21T09:30:00.000Z')
  created_at: Date;

  @Time('The time of the last step, or of the start.', '2026-11-21T09:31:00.000Z')
  updated_at: Date;

  static of(session: ListedSession): SessionListItemDto {
    const { id, flow_id, flow_version, source, locale, status_now, customer_id, customer_verified } = session;
    const { accepted_offer, answers, results, fulfilment, created_at, updated_at } = session;
    return {
      id,
      flow_id,
      flow_version,
      source,
      locale,
      status: status_now,
      customer_id,
      customer_verified,
      accepted_offer: accepted_offer && recordOf(accepted_offer),
      reason: status_now === 'saved' ? savedReasonOf(accepted_offer) : null,
      answers,
      results,
      fulfilment,
      created_at,
      updated_at,
    };
  }
}

export class SessionListDto extends PageInfo {
  @Many(SessionListItemDto, MAX_PAGE)
  sessions: SessionListItemDto[];

  @Time.orNull(
    'With `updated_since`: the end of the span that this poll covers, the same on all its pages. Send it as the ' +
      '`updated_since` of the next poll, and every change is seen once. It is a second ago, or longer while changes are ' +
      'being committed. Otherwise null.',
    null,
  )
  updated_until: Date | null;

  static of({ items, next_cursor, updated_until }: SessionPage): SessionListDto {
    return { sessions: items.map((session) => SessionListItemDto.of(session)), next_cursor, updated_until };
  }
}
