import { ApiProperty } from '@nestjs/swagger';
import { MomentField, TextField } from '../../platform/api/fields';
import { COUNT, filledText, ID, integer, KEY, MAX_ATTRIBUTE_NAME, SHARE, UNPAGED } from '../../platform/api/schemas';
import { WITHHELD_REASONS, type WithheldReason } from '../../runtime/sessions/eligibility';
import { MAX_DAYS } from '../sums/span';
import { AttributeNumbersDto, CustomersDto, RatesDto, SplitNumbersDto, TotalsDto } from './counts.dto';
import { LastingDto, ValueDto } from './lasting.dto';
import { WITHHELD } from '../../records/dto/taken-step.dto';

export class StatsQuery {
  @MomentField({
    description: 'Only sessions that began at this time or later. Without it, from midnight UTC 30 days before `to`.',
    optional: true,
  })
  from?: string;

  @MomentField({ description: 'Only sessions that began before this time. Without it, until now.', optional: true })
  to?: string;
}

export class FlowStatsQuery extends StatsQuery {
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
  @ApiProperty({ ...KEY, example: 'reason', description: 'The survey that was answered.' })
  node_key: string;

  @ApiProperty({ ...KEY, example: 'too_expensive' })
  option: string;

  @ApiProperty({
    ...filledText(200),
    example: 'Too expensive',
    description: 'As the newest version that was used words it.',
  })
  label: string;

  @ApiProperty({ ...COUNT, example: 17, description: 'Sessions that gave this answer.' })
  sessions: number;

  @ApiProperty({ ...COUNT, example: 6, description: 'Those of them that were saved.' })
  saved: number;
}

export class WithheldNumbersDto {
  @ApiProperty({ enum: WITHHELD_REASONS, example: 'limit', description: WITHHELD })
  reason: WithheldReason;

  @ApiProperty({ ...COUNT, example: 2 })
  sessions: number;
}

export class OfferNumbersDto {
  @ApiProperty({ ...ID, example: '019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b' })
  id: string;

  @ApiProperty({ ...filledText(200), example: '30 % off for three months' })
  name: string;

  @ApiProperty({ ...COUNT, example: 20, description: 'Sessions in which it was presented.' })
  presented: number;

  @ApiProperty({ ...COUNT, example: 10, description: 'Sessions in which it was accepted.' })
  accepted: number;

  @ApiProperty({
    type: [WithheldNumbersDto],
    maxItems: WITHHELD_REASONS.length,
    description: 'Sessions in which it was passed over, or refused, by the reason, the most frequent first.',
  })
  withheld: WithheldNumbersDto[];

  @ApiProperty({ ...SHARE, nullable: true, example: 0.5, description: 'Null if it was not presented.' })
  acceptance_rate: number | null;
}

export class VersionNumbersDto {
  @ApiProperty({ ...integer(1), example: 1 })
  version: number;

  @ApiProperty({ ...COUNT, example: 40 })
  sessions: number;

  @ApiProperty({ ...COUNT, example: 12 })
  saved: number;
}

/** The results of the sessions and customers of a span of time. */
class NumbersDto {
  @ApiProperty({ type: TotalsDto })
  sessions: TotalsDto;

  @ApiProperty({
    type: CustomersDto,
    nullable: true,
    description: 'A customer with sessions of several flows counts once. Null if sessions of the span were deleted.',
  })
  customers: CustomersDto | null;

  @ApiProperty({ type: RatesDto })
  rates: RatesDto;

  @ApiProperty({
    type: [LastingDto],
    maxItems: 3,
    nullable: true,
    description:
      'Of the customers who were saved 30, 60 and 90 days ago or longer, those who have not canceled since, in any flow. Sessions ' +
      'without a customer are in none. Null if sessions of the span were deleted.',
  })
  lasting: LastingDto[] | null;

  @ApiProperty({
    type: [ValueDto],
    maxItems: UNPAGED,
    nullable: true,
    description:
      'What the customers are worth a month, by currency, and apart by whether it is verified. Sessions without a customer are in ' +
      'none. Null if sessions of the span were deleted.',
  })
  value: ValueDto[] | null;

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
  @ApiProperty({ type: [ReasonDto], maxItems: UNPAGED, description: 'The most frequent first.' })
  reasons: ReasonDto[];

  @ApiProperty({ type: [OfferNumbersDto], maxItems: UNPAGED, description: 'The most presented first.' })
  offers: OfferNumbersDto[];

  @ApiProperty({ type: [VersionNumbersDto], maxItems: UNPAGED })
  versions: VersionNumbersDto[];

  @ApiProperty({
    type: [SplitNumbersDto],
    maxItems: UNPAGED,
    description:
      'The splits that sessions came to. When the names, weights or targets of the arms change from one version to the ' +
      'next, or the salt, counting begins anew: the split is here once more.',
  })
  splits: SplitNumbersDto[];
}

export class FlowStatsDto extends FlowNumbersDto {
  @ApiProperty({
    type: AttributeNumbersDto,
    nullable: true,
    description: 'Null without the parameter `by`, and if sessions of the span were deleted.',
  })
  by: AttributeNumbersDto | null;
}

export class FlowOfWorkspaceStatsDto extends FlowNumbersDto {
  @ApiProperty({ ...ID, example: '019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a' })
  flow_id: string;

  @ApiProperty({ ...filledText(200), example: 'Leaving Acme Pro' })
  name: string;
}

/** The numbers of the whole workspace, and by flow. */
export class WorkspaceStatsDto extends NumbersDto {
  @ApiProperty({
    type: [FlowOfWorkspaceStatsDto],
    maxItems: UNPAGED,
    description: 'Flows that had sessions, newest first.',
  })
  flows: FlowOfWorkspaceStatsDto[];
}

/** The sessions that began on a day (UTC). */
export class DayNumbersDto {
  @ApiProperty({ type: 'string', format: 'date', maxLength: 10, example: '2026-05-31' })
  date: string;

  @ApiProperty({ ...COUNT, example: 14 })
  sessions: number;

  @ApiProperty({ ...COUNT, example: 4, description: 'Those of them that are saved by now, also on a later day.' })
  saved: number;

  @ApiProperty({ ...COUNT, example: 6, description: 'Those of them that are canceled by now, also on a later day.' })
  canceled: number;
}

/** Statistics by day, as a chart needs them. */
export class DailyStatsDto {
  @ApiProperty({
    type: [DayNumbersDto],
    maxItems: MAX_DAYS,
    description: 'Oldest first; days without a session too. The first and the last day hold what is in the span.',
  })
  days: DayNumbersDto[];
}
