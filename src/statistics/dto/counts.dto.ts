import { ApiProperty, PickType } from '@nestjs/swagger';
import { Choice, Count, Flag, Integer, Key, Many, One, Text, Time } from '../../platform/api/fields/shown';
import { anyText, integer, MAX_ATTRIBUTE_NAME, SHARE, UNPAGED } from '../../platform/api/fields/schemas';
import { MAX_PATHS, MAX_WEIGHT, PLANNED_DAYS } from '../../flows/graph/graph-limits';
import type { CustomerDetails } from '../../sessions/flow-session.entity';
import { type Difference, type Interval, type Lift, type Pair, RESULTS } from '../experiments/experiment';
import type { Plan, Verdict } from '../experiments/reading';
import { LASTING_ROWS, LastingDto } from './lasting.dto';
import { ArmValueDto } from './value.dto';

const INTERVAL = { type: 'array', items: SHARE, minItems: 2, maxItems: 2, nullable: true } as const;

export class TotalsDto {
  @Count('All of them, whatever became of them.', 40)
  total: number;

  @Count('Began in the last 24 hours, and have not ended.', 4)
  in_progress: number;

  @Count('Accepted an offer or kept the subscription.', 12)
  saved: number;

  @Count('Went on to cancel.', 18)
  canceled: number;

  @Count(
    'Accepted an offer whose `outcome` is `open`, and nobody has reported that they stay. Their customers count as abandoned.',
    0,
  )
  contacted: number;

  @Count('Did not end within 24 hours of their start.', 6)
  abandoned: number;
}

/** Customers count once, however many sessions they had. */
export class CustomersDto {
  @Count('A session without a customer is a customer of its own.', 33)
  total: number;

  @Count('The last that they decided in the span was to stay.', 10)
  saved: number;

  @Count('Those of them who accepted an offer.', 7)
  saved_by_offer: number;

  @Count('The last that they decided in the span was to cancel.', 15)
  canceled: number;

  @Count('Decided nothing in the span; a session is in progress.', 3)
  in_progress: number;

  @Count('Decided nothing in the span; all sessions are abandoned.', 5)
  abandoned: number;
}

const RATE = { ...SHARE, nullable: true } as const;

/**
 * Shares of the customers who came: of `customers.total`, those who closed the window included. Null if there are none,
 * and if sessions of the span were deleted.
 */
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
const DIFFERENCE_INTERVAL = { type: 'array', items: DIFFERENCE, minItems: 2, maxItems: 2 } as const;

export class LiftDto implements Lift {
  @ApiProperty({ ...DIFFERENCE, example: 0.12, description: 'The canceled share of the control − that of this arm.' })
  value: number;

  @ApiProperty({
    ...DIFFERENCE_INTERVAL,
    example: [0.03, 0.21],
    description:
      'Where it probably is with more customers (Newcombe). Above 0: fewer cancel than in the control. Below: more.',
  })
  interval: Interval;
}

/**
 * The customers who came to an arm since it is live, each once, by what they decided last in the flow until now, or
 * until the arms changed.
 */
export class ArmNumbersDto extends PickType(CustomersDto, [
  'saved',
  'saved_by_offer',
  'canceled',
  'in_progress',
  'abandoned',
]) {
  @Key.like('discount')
  name: string;

  @ApiProperty({ ...integer(0, MAX_WEIGHT), example: 50 })
  weight: number;

  @Flag('Whether it is the control of the experiment.', false)
  control: boolean;

  @Count('All customers who came, those who closed the window included.', 40)
  customers: number;

  @One(ArmRatesDto)
  rates: ArmRatesDto;

  @One(
    ArmIntervalsDto,
    'Where the rates probably are with more customers, with the bound of the day (see `plan`), or 8 while there is none.',
  )
  interval: ArmIntervalsDto;

  @One.orNull(LiftDto, 'How many fewer customers cancel than in the control. Null for the control, and without one.')
  lift: LiftDto | null;

  @Many(LastingDto, LASTING_ROWS, 'Whether saves of sessions that came here last, after 30, 60, 90 and 180 days.')
  lasting: LastingDto[];

  @Many(ArmValueDto, UNPAGED, 'What the customers are worth a month, by currency. Estimates are last.')
  value: ArmValueDto[];

  @Count(
    'Sessions without a customer. They are in no other number of the arm: they may be visits of the same person.',
    3,
  )
  without_customer: number;

  @Count(
    'Of `customers`, those who had one session only, and no customer token in it. If nearly all did, the page may make a new ' +
      'id at each load, and one person counts as several.',
    240,
  )
  seen_once: number;
}

export class DifferenceDto implements Difference {
  @ApiProperty({ ...DIFFERENCE, example: 0.08, description: 'The share of `a` − that of `b`.' })
  difference: number;

  @ApiProperty({
    ...DIFFERENCE_INTERVAL,
    example: [0.02, 0.14],
    description: 'Where it probably is with more customers (Newcombe).',
  })
  interval: Interval;
}

/** How two arms with a weight compare, by the end of the last whole day (UTC). */
export class ArmPairDto implements Pair {
  @Key('The arm that saves more so far.', 'discount')
  a: string;

  @Key.like('pause')
  b: string;

  @Choice(
    RESULTS,
    '`apart`: `a` saves more beyond chance, and does not cancel more beyond chance. `not_apart`: not yet. `too_few`: one of ' +
      'them has fewer than 100 customers. `sample_ratio_mismatch`: the customers of all arms are not divided as the weights ' +
      'say, so arms cannot be compared. With more than two arms, all pairs share the chance of error, so that a pair may be `not_apart` ' +
      'though the verdict has a `better` arm.',
    'apart',
  )
  result: Pair['result'];

  @One.orNull(DifferenceDto, 'Of the saved shares. Null while one of the arms has no customers.')
  saved: DifferenceDto | null;

  @One.orNull(DifferenceDto, 'Of the canceled shares. Null while one of the arms has no customers.')
  canceled: DifferenceDto | null;
}

/** How far an experiment is that somebody planned. */
export class PlanDto implements Plan {
  @Integer(PLANNED_DAYS.min, '`planned_days` of the split.', PLANNED_DAYS.usual)
  days: number;

  @Count('The whole days (UTC) that were read since `since`: 0 on the first.', 12)
  day: number;

  @ApiProperty({
    type: 'number',
    minimum: 0,
    nullable: true,
    example: 3.12,
    description:
      'How many standard errors two arms must be apart by the end of this day (alpha spending, two-sided, 4 % over the plan; after it a ' +
      'confidence sequence, 1 %). Null while nothing is.',
  })
  bound: number | null;

  @Flag('Whether all days of the plan were read: decide.', false)
  over: boolean;
}

/** What an experiment says. It only reads whole days (UTC), and once it is found, it stays. */
export class VerdictDto implements Omit<Verdict, 'day'> {
  @Choice(
    RESULTS,
    '`apart`: `better` saves more than each other arm, and cancels not more than any. `not_apart`: not yet. `too_few`: an arm has fewer ' +
      'than 100 customers. `sample_ratio_mismatch`: customers are missing, which takes the place of any other.',
    'apart',
  )
  result: Verdict['result'];

  @Key.orNull('With `apart`: the arm that saves the most.', 'discount')
  better: string | null;

  @Key.orNull('With `apart`: the arm that saves the most after it.', 'pause')
  worse: string | null;

  @Choice(
    ['planned', 'always_valid'],
    'The rule by which it was found, or is looked for: that of the plan, or the one after the plan and without one.',
    'planned',
  )
  method: Verdict['method'];

  @ApiProperty({
    type: 'string',
    format: 'date',
    maxLength: 10,
    nullable: true,
    example: '2026-11-21',
    description: 'The day (UTC) since which it stands. Null with `not_apart` and `too_few`.',
  })
  since: string | null;
}

/** The customers who came to a split, by the arm that they got. */
export class SplitNumbersDto {
  @Key.like('test')
  node_key: string;

  @Integer(1, 'The first version of the flow with these arms, weights and plan.', 2)
  from_version: number;

  @Integer(1, 'The last of them that sessions came to: the draw is the same in all.', 3)
  to_version: number;

  @Time('When its arms went live. It is counted from then on, whatever `from` is.', '2026-11-09T09:30:00.000Z')
  since: Date;

  @One.orNull(
    PlanDto,
    'Null where nobody plans, with `where` or a `to` before now, and if sessions since then were deleted.',
  )
  plan: PlanDto | null;

  @Many.orNull(
    ArmNumbersDto,
    MAX_PATHS,
    'All arms, in the order of the flow. Null if sessions since then were deleted.',
  )
  arms: ArmNumbersDto[] | null;

  @Many.orNull(
    ArmPairDto,
    (MAX_PATHS * (MAX_PATHS - 1)) / 2,
    'Every two arms that have a weight. Null if sessions since then were deleted.',
  )
  pairs: ArmPairDto[] | null;

  @One.orNull(
    VerdictDto,
    'Null with fewer than two arms that have a weight, with `where` or a `to` before now, and if sessions since then were deleted.',
  )
  verdict: VerdictDto | null;

  @Key.orNull('With `sample_ratio_mismatch`: the arm that is short of customers.', 'pause')
  short: string | null;
}

/** The most values of an attribute that are counted each for itself. */
export const MAX_VALUES = 50;

export class GroupNumbersDto {
  @One(TotalsDto)
  sessions: TotalsDto;

  @One(CustomersDto, 'A customer with sessions of several values counts in each.')
  customers: CustomersDto;

  @One(RatesDto)
  rates: RatesDto;
}

/** A value of an attribute. */
export const ATTRIBUTE_VALUE = { oneOf: [anyText(1000), { type: ['number', 'boolean', 'null'] }] };

export class ValueNumbersDto extends GroupNumbersDto {
  @ApiProperty({
    ...ATTRIBUTE_VALUE,
    example: 'pro',
    description: 'As the session has it: 1 and "1" are two values. Null means that the attribute was given as null.',
  })
  value: NonNullable<CustomerDetails['attributes']>[string];
}

/** The sessions by the value of an attribute of the customer. Each is in one place. */
export class AttributeNumbersDto {
  @Text.like(MAX_ATTRIBUTE_NAME, 'plan')
  attribute: string;

  @Many(ValueNumbersDto, MAX_VALUES, `The ${MAX_VALUES} most frequent values, the most frequent first.`)
  values: ValueNumbersDto[];

  @One(GroupNumbersDto, 'Sessions with any other value.')
  other: GroupNumbersDto;

  @One(
    GroupNumbersDto,
    'Sessions without the attribute: it was not given, there was no customer, or the customer was erased.',
  )
  none: GroupNumbersDto;
}
