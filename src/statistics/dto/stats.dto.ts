import { ApiProperty } from '@nestjs/swagger';
import { ChoiceField, MomentField, TextField } from '../../platform/api/fields/fields';
import { Choice, Count, Id, Integer, Key, Many, One, Share, Text } from '../../platform/api/fields/shown';
import { MAX_ATTRIBUTE_NAME, UNPAGED } from '../../platform/api/fields/schemas';
import { AudienceField, WhereField } from '../../sessions/filter/segment';
import { WITHHELD_REASONS, type WithheldReason } from '../../sessions/eligibility';
import { INTERVALS, MAX_PERIODS } from '../sums/intervals';
import { AttributeNumbersDto, CustomersDto, RatesDto, SplitNumbersDto, TotalsDto } from './counts.dto';
import { LASTING_ROWS, LastingDto } from './lasting.dto';
import { OfferValueDto, ReasonValueDto, ValueDto } from './value.dto';
import { WITHHELD } from '../../records/dto/taken-step.dto';

/** What to know of conditions in statistics. */
export const ALL_READ =
  'All sessions of the span are read, which takes longer; those that were deleted are in no count.';

export class StatsQuery {
  @MomentField({
    description: 'Only sessions that began at this time or later. Without it, from midnight UTC 30 days before `to`.',
    optional: true,
  })
  from?: string;

  @MomentField({ description: 'Only sessions that began before this time. Without it, until now.', optional: true })
  to?: string;

  @WhereField('sessions', ALL_READ)
  where?: string;

  @AudienceField('sessions')
  audience?: string;

  @ChoiceField({
    description:
      '`all`: also sessions that the demo page began (`source` of their records is `demo`). All sessions of the span are read, as with ' +
      '`where`. Without it, they are in no number.',
    values: ['all'],
    optional: true,
  })
  source?: 'all';
}

export class WorkspaceStatsQuery extends StatsQuery {
  @ChoiceField({
    description: 'Also by day, or by month (UTC): `periods` of the span, and `previous` of the one before it.',
    values: INTERVALS,
    example: 'month',
    optional: true,
  })
  interval?: (typeof INTERVALS)[number];
}

export class FlowStatsQuery extends WorkspaceStatsQuery {
  @TextField({
    description:
      "The name of an attribute of your customers: `by` of the response then counts sessions by the attribute's value. `locale` is the " +
      'language of the sessions; `attributes.locale` is an attribute of that name.',
    max: MAX_ATTRIBUTE_NAME,
    example: 'plan',
    optional: true,
  })
  by?: string;
}

export class ReasonDto {
  @Key('The survey that was answered.', 'reason')
  node_key: string;

  @Key.like('too_expensive')
  option: string;

  @Text(200, 'As the newest version that was used words it.', 'Too expensive')
  label: string;

  @Count('Sessions that gave this answer.', 17)
  sessions: number;

  @Count('Those of them that were saved.', 6)
  saved: number;

  @Many.orNull(
    ReasonValueDto,
    UNPAGED,
    'What the customers are worth a month who gave it, by currency. Null if sessions of the span were deleted.',
  )
  value: ReasonValueDto[] | null;
}

export class WithheldNumbersDto {
  @Choice(WITHHELD_REASONS, WITHHELD, 'limit')
  reason: WithheldReason;

  @Count.like(2)
  sessions: number;
}

export class OfferNumbersDto {
  @Id.like('019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b')
  id: string;

  @Text.like(200, '30 % off for three months')
  name: string;

  @Count('Sessions in which it was presented.', 20)
  presented: number;

  @Count('Sessions in which it was accepted, and which are saved.', 10)
  accepted: number;

  @Count('Sessions in which it was accepted, but whose customers have not decided yet: its `outcome` is `open`.', 0)
  contacted: number;

  @Many(
    WithheldNumbersDto,
    WITHHELD_REASONS.length,
    'Sessions in which it was passed over, or refused, by the reason, the most frequent first.',
  )
  withheld: WithheldNumbersDto[];

  @Share.orNull('`accepted` and `contacted`, of `presented`. Null if it was not presented.', 0.5)
  acceptance_rate: number | null;

  @Many.orNull(
    LastingDto,
    LASTING_ROWS,
    'Whether those stay who were saved by it last. Null if sessions of the span were deleted.',
  )
  lasting: LastingDto[] | null;

  @Many.orNull(
    OfferValueDto,
    UNPAGED,
    'What the customers are worth a month who were saved by it, by currency. Null if sessions of the span were deleted.',
  )
  value: OfferValueDto[] | null;
}

export class VersionNumbersDto {
  @Integer.like(1, 1)
  version: number;

  @Count.like(40)
  sessions: number;

  @Count.like(12)
  saved: number;
}

/** The results of the sessions and customers of a span of time. */
class CountsDto {
  @One(TotalsDto)
  sessions: TotalsDto;

  @One.orNull(
    CustomersDto,
    'A customer with sessions of several flows counts once. Null if sessions of the span were deleted.',
  )
  customers: CustomersDto | null;

  @One(RatesDto)
  rates: RatesDto;

  @Many.orNull(
    ValueDto,
    UNPAGED,
    'What the customers are worth a month, by currency, and apart by whether it is verified. Sessions without a customer are in ' +
      'none. Null if sessions of the span were deleted.',
  )
  value: ValueDto[] | null;
}

/** The sessions of a day or a month (UTC). Customers count once in each that they came in, so don't add them up. */
export class PeriodDto extends CountsDto {
  @ApiProperty({
    type: 'string',
    format: 'date',
    maxLength: 10,
    example: '2026-11-01',
    description: 'Its first day in the span. The first and the last period hold what is in the span.',
  })
  from: string;
}

const PERIODS = 'By day or month, oldest first, periods without a session too. Only with `interval`.';
const PREVIOUS =
  'The same for the span before: as long, or with months as many of them, to the nearest. Only with `interval`.';

/** Periods of a response, which has them if they are asked for. */
const PeriodsField = (description: string, maxItems: number) =>
  ApiProperty({ type: [PeriodDto], maxItems, required: false, description });

class NumbersDto extends CountsDto {
  @Many.orNull(
    LastingDto,
    LASTING_ROWS,
    'Of the customers who were saved, those who stay 30, 60, 90 and 180 days, and do not cancel in any flow. Sessions ' +
      'without a customer are in none. Null if sessions of the span were deleted.',
  )
  lasting: LastingDto[] | null;

  @ApiProperty({
    type: 'number',
    minimum: 0,
    nullable: true,
    example: 598.8,
    description: 'The `saved` of the row of `value` without a currency; null without that row.',
  })
  estimated_monthly_value_retained: number | null;
}

/** The numbers of a flow. */
export class FlowNumbersDto extends NumbersDto {
  @Many(ReasonDto, UNPAGED, 'The most frequent first.')
  reasons: ReasonDto[];

  @Many(OfferNumbersDto, UNPAGED, 'The most presented first.')
  offers: OfferNumbersDto[];

  @Many(VersionNumbersDto, UNPAGED)
  versions: VersionNumbersDto[];

  @Many(
    SplitNumbersDto,
    UNPAGED,
    'The splits that sessions came to. When the names, weights or targets of the arms change from one version to the ' +
      'next, or the salt, counting begins anew: the split is here once more.',
  )
  splits: SplitNumbersDto[];
}

export class FlowStatsDto extends FlowNumbersDto {
  @PeriodsField(PERIODS, MAX_PERIODS)
  periods?: PeriodDto[];

  @PeriodsField(PREVIOUS, MAX_PERIODS + 1)
  previous?: PeriodDto[];

  @One.orNull(AttributeNumbersDto, 'Null without the parameter `by`, and if sessions of the span were deleted.')
  by: AttributeNumbersDto | null;
}

export class FlowOfWorkspaceStatsDto extends FlowNumbersDto {
  @Id.like('019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a')
  flow_id: string;

  @Text.like(200, 'Leaving Acme Pro')
  name: string;
}

/** The numbers of the whole workspace, and by flow. */
export class WorkspaceStatsDto extends NumbersDto {
  @PeriodsField(PERIODS, MAX_PERIODS)
  periods?: PeriodDto[];

  @PeriodsField(PREVIOUS, MAX_PERIODS + 1)
  previous?: PeriodDto[];

  @Many(FlowOfWorkspaceStatsDto, UNPAGED, 'Flows that had sessions, newest first.')
  flows: FlowOfWorkspaceStatsDto[];
}

/** The sessions that began on a day (UTC). */
export class DayNumbersDto {
  @ApiProperty({ type: 'string', format: 'date', maxLength: 10, example: '2026-05-31' })
  date: string;

  @Count.like(14)
  sessions: number;

  @Count('Those of them that are saved by now, also on a later day.', 4)
  saved: number;

  @Count('Those of them that are canceled by now, also on a later day.', 6)
  canceled: number;
}

/** Statistics by day, as a chart needs them. */
export class DailyStatsDto {
  @Many(
    DayNumbersDto,
    MAX_PERIODS,
    'Oldest first; days without a session too. The first and the last day hold what is in the span.',
  )
  days: DayNumbersDto[];
}
