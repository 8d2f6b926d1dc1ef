import { ApiProperty, PickType } from '@nestjs/swagger';
import { anyText, COUNT, filledText, integer, KEY, MAX_ATTRIBUTE_NAME, SHARE } from '../../platform/api/schemas';
import { MAX_PATHS, MAX_WEIGHT } from '../../flows/graph-limits';
import type { CustomerDetails } from '../../runtime/sessions/flow-session.entity';
import { type Interval, type Lift, RESULTS, type Verdict } from '../experiment';
import { LastingDto } from './lasting.dto';

const INTERVAL = { type: 'array', items: SHARE, minItems: 2, maxItems: 2, nullable: true } as const;

export class TotalsDto {
  @ApiProperty({ ...COUNT, example: 40, description: 'All of them, whatever became of them.' })
  total: number;

  @ApiProperty({ ...COUNT, example: 4, description: 'Began in the last 24 hours, and have not ended.' })
  in_progress: number;

  @ApiProperty({ ...COUNT, example: 12, description: 'Accepted an offer or kept the subscription.' })
  saved: number;

  @ApiProperty({ ...COUNT, example: 18, description: 'Went on to cancel.' })
  canceled: number;

  @ApiProperty({ ...COUNT, example: 6, description: 'Did not end within 24 hours of their start.' })
  abandoned: number;
}

/** Customers count once, however many sessions they had. */
export class CustomersDto {
  @ApiProperty({ ...COUNT, example: 33, description: 'A session without a customer is a customer of its own.' })
  total: number;

  @ApiProperty({ ...COUNT, example: 10, description: 'The last that they decided in the span was to stay.' })
  saved: number;

  @ApiProperty({ ...COUNT, example: 7, description: 'Those of them who accepted an offer.' })
  saved_by_offer: number;

  @ApiProperty({ ...COUNT, example: 15, description: 'The last that they decided in the span was to cancel.' })
  canceled: number;

  @ApiProperty({ ...COUNT, example: 3, description: 'Decided nothing in the span; a session is in progress.' })
  in_progress: number;

  @ApiProperty({ ...COUNT, example: 5, description: 'Decided nothing in the span; all sessions are abandoned.' })
  abandoned: number;
}

const RATE = { ...SHARE, nullable: true } as const;

/** Shares of the customers who came: of `customers.total`, those who closed the window included. Null if there are none, and if
 * sessions of the span were deleted. */
export class RatesDto {
  @ApiProperty({ ...RATE, example: 0.303 })
  saved: number | null;

  @ApiProperty({ ...RATE, example: 0.212 })
  saved_by_offer: number | null;

  @ApiProperty({ ...RATE, example: 0.455 })
  canceled: number | null;
}

/** Shares of the customers who came to an arm. Null if there are none. */
export class ArmRatesDto extends PickType(RatesDto, ['saved', 'canceled']) {}

/** Where the rates of an arm probably are: the lower end and the upper end. Null if there are no customers. */
export class ArmIntervalsDto {
  @ApiProperty({ ...INTERVAL, example: [0.181, 0.454] })
  saved: Interval | null;

  @ApiProperty({ ...INTERVAL, example: [0.295, 0.579] })
  canceled: Interval | null;
}

const DIFFERENCE = { type: 'number', minimum: -1, maximum: 1 } as const;

export class LiftDto implements Lift {
  @ApiProperty({ ...DIFFERENCE, example: 0.12, description: 'The canceled share of the control − that of this arm.' })
  value: number;

  @ApiProperty({
    type: 'array',
    items: DIFFERENCE,
    minItems: 2,
    maxItems: 2,
    example: [0.03, 0.21],
    description:
      'Where it probably is with more customers (Newcombe). Above 0: fewer cancel than in the control. Below: more.',
  })
  interval: [low: number, high: number];
}

/** The customers who came to an arm, each once, by what they decided last in the flow in the span, until the arms changed. */
export class ArmNumbersDto extends PickType(CustomersDto, [
  'saved',
  'saved_by_offer',
  'canceled',
  'in_progress',
  'abandoned',
]) {
  @ApiProperty({ ...KEY, example: 'discount' })
  name: string;

  @ApiProperty({ ...integer(0, MAX_WEIGHT), example: 50 })
  weight: number;

  @ApiProperty({ type: 'boolean', example: false, description: 'Whether it is the control of the experiment.' })
  control: boolean;

  @ApiProperty({ ...COUNT, example: 40, description: 'All customers who came, those who closed the window included.' })
  customers: number;

  @ApiProperty({ type: ArmRatesDto })
  rates: ArmRatesDto;

  @ApiProperty({
    type: ArmIntervalsDto,
    description:
      'Where the rates probably are with more customers: the wider, the more arms there are. When those of two arms are apart, ' +
      'the arms differ. See `verdict`.',
  })
  interval: ArmIntervalsDto;

  @ApiProperty({
    type: LiftDto,
    nullable: true,
    description: 'How many fewer customers cancel than in the control. Null for the control, and without one.',
  })
  lift: LiftDto | null;

  @ApiProperty({
    type: [LastingDto],
    maxItems: 3,
    description: 'Whether saves of sessions that came here last, after 30, 60 and 90 days.',
  })
  lasting: LastingDto[];

  @ApiProperty({
    ...COUNT,
    example: 3,
    description:
      'Sessions without a customer. They are in no other number of the arm: they may be visits of the same person.',
  })
  without_customer: number;

  @ApiProperty({
    ...COUNT,
    example: 240,
    description:
      'Of `customers`, those who had one session only, and no customer token in it. If nearly all did, the page may make a new ' +
      'id at each load, and one person counts as several.',
  })
  seen_once: number;
}

export class VerdictDto implements Verdict {
  @ApiProperty({
    enum: RESULTS,
    example: 'apart',
    description:
      '`apart`: the intervals of `saved` of two arms are apart, and those of `canceled` are not apart the other way. ' +
      '`not_apart`: not yet. `too_few`: an arm with a weight has fewer than 100 customers. `sample_ratio_mismatch`: the ' +
      'customers are not divided as the weights say (chi-squared test, p < 0.001), so the arms cannot be compared.',
  })
  result: Verdict['result'];

  @ApiProperty({ ...KEY, nullable: true, example: 'discount', description: 'With `apart`: the arm that saves more.' })
  better: string | null;

  @ApiProperty({ ...KEY, nullable: true, example: 'pause', description: 'With `apart`: the arm that saves less.' })
  worse: string | null;
}

/** The customers who came to a split, by the arm that they got. */
export class SplitNumbersDto {
  @ApiProperty({ ...KEY, example: 'test' })
  node_key: string;

  @ApiProperty({
    ...integer(1),
    example: 2,
    description: 'The first of its versions that sessions of the span came to.',
  })
  from_version: number;

  @ApiProperty({
    ...integer(1),
    example: 3,
    description: 'The last of them: the arms and the salt are the same in all.',
  })
  to_version: number;

  @ApiProperty({
    type: [ArmNumbersDto],
    maxItems: MAX_PATHS,
    nullable: true,
    description: 'All arms, in the order of the flow. Null if sessions of the span were deleted.',
  })
  arms: ArmNumbersDto[] | null;

  @ApiProperty({
    type: VerdictDto,
    nullable: true,
    description: 'Null with fewer than two arms that have a weight, and if sessions of the span were deleted.',
  })
  verdict: VerdictDto | null;
}

/** The most values of an attribute that are counted each for itself. */
export const MAX_VALUES = 50;

export class GroupNumbersDto {
  @ApiProperty({ type: TotalsDto })
  sessions: TotalsDto;

  @ApiProperty({ type: CustomersDto, description: 'A customer with sessions of several values counts in each.' })
  customers: CustomersDto;

  @ApiProperty({ type: RatesDto })
  rates: RatesDto;
}

export class ValueNumbersDto extends GroupNumbersDto {
  @ApiProperty({
    oneOf: [anyText(1000), { type: ['number', 'boolean', 'null'] }],
    example: 'pro',
    description: 'As the session has it: 1 and "1" are two values. Null means that the attribute was given as null.',
  })
  value: NonNullable<CustomerDetails['attributes']>[string];
}

/** The sessions by the value of an attribute of the customer. Each is in one place. */
export class AttributeNumbersDto {
  @ApiProperty({ ...filledText(MAX_ATTRIBUTE_NAME), example: 'plan' })
  attribute: string;

  @ApiProperty({
    type: [ValueNumbersDto],
    maxItems: MAX_VALUES,
    description: `The ${MAX_VALUES} most frequent values, the most frequent first.`,
  })
  values: ValueNumbersDto[];

  @ApiProperty({ type: GroupNumbersDto, description: 'Sessions with any other value.' })
  other: GroupNumbersDto;

  @ApiProperty({
    type: GroupNumbersDto,
    description: 'Sessions without the attribute: it was not given, there was no customer, or the customer was erased.',
  })
  none: GroupNumbersDto;
}
