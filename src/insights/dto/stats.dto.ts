import { ApiProperty } from '@nestjs/swagger';
import { MomentField, TextField } from '../../common/fields';
import { UNPAGED } from '../../common/limits';
import { COUNT, filledText, ID, integer, KEY, MAX_ATTRIBUTE_NAME } from '../../common/schemas';
import { AttributeNumbersDto } from './attribute-numbers.dto';
import { CustomersDto, RatesDto, SHARE, TotalsDto } from './counts.dto';
import { SplitNumbersDto } from './splits.dto';

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
      "The name of an attribute of your customers: `by` of the response then counts sessions by the attribute's value.",
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

export class OfferNumbersDto {
  @ApiProperty({ ...ID, example: '019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b' })
  id: string;

  @ApiProperty({ ...filledText(200), example: '30 % off for three months' })
  name: string;

  @ApiProperty({ ...COUNT, example: 20, description: 'Sessions in which it was presented.' })
  presented: number;

  @ApiProperty({ ...COUNT, example: 10, description: 'Sessions in which it was accepted.' })
  accepted: number;

  @ApiProperty({ ...SHARE, nullable: true, example: 0.5 })
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

/** What became of the sessions of a flow that began in a span of time. */
export class FlowNumbersDto {
  @ApiProperty({ type: TotalsDto })
  sessions: TotalsDto;

  @ApiProperty({ type: CustomersDto })
  customers: CustomersDto;

  @ApiProperty({
    type: RatesDto,
    description: 'A session has ended when it is saved, canceled or abandoned. Both rates are null when none has.',
  })
  save_rate: RatesDto;

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
      'The splits that sessions came to. When the names, weights or targets of the ways change from one version to the ' +
      'next, counting begins anew: the split is here once more.',
  })
  splits: SplitNumbersDto[];

  @ApiProperty({
    type: 'number',
    minimum: 0,
    nullable: true,
    example: 598.8,
    description: "Saved customers × the flow's `estimated_monthly_value`; null without one.",
  })
  estimated_monthly_value_retained: number | null;
}

export class FlowStatsDto extends FlowNumbersDto {
  @ApiProperty({ type: AttributeNumbersDto, nullable: true, description: 'Null without the parameter `by`.' })
  by: AttributeNumbersDto | null;
}

export class FlowOfWorkspaceStatsDto extends FlowNumbersDto {
  @ApiProperty({ ...ID, example: '019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a' })
  flow_id: string;

  @ApiProperty({ ...filledText(200), example: 'Leaving Acme Pro' })
  name: string;
}

/** The same for the whole workspace, by flow. */
export class WorkspaceStatsDto {
  @ApiProperty({ type: TotalsDto })
  sessions: TotalsDto;

  @ApiProperty({ type: CustomersDto, description: 'A customer with sessions of several flows counts once.' })
  customers: CustomersDto;

  @ApiProperty({ type: RatesDto })
  save_rate: RatesDto;

  @ApiProperty({
    type: 'number',
    minimum: 0,
    nullable: true,
    example: 598.8,
    description: 'The sum over the flows that have an `estimated_monthly_value`; null when none has.',
  })
  estimated_monthly_value_retained: number | null;

  @ApiProperty({
    type: [FlowOfWorkspaceStatsDto],
    maxItems: UNPAGED,
    description: 'Flows that had sessions, newest first.',
  })
  flows: FlowOfWorkspaceStatsDto[];
}
