import { ApiProperty } from '@nestjs/swagger';
import { COUNT } from '../../common/schemas';
import type { Interval } from '../interval';
import type { Rates, Totals } from '../session-counts';

/** A share, from 0 to 1. */
export const SHARE = { type: 'number', minimum: 0, maximum: 1 } as const;

const INTERVAL = { type: 'array', items: SHARE, minItems: 2, maxItems: 2, nullable: true } as const;

export class TotalsDto implements Totals {
  @ApiProperty({ ...COUNT, example: 40, description: 'All of them, whatever became of them.' })
  total: number;

  @ApiProperty({ ...COUNT, example: 4, description: 'Began or took a step in the last 24 hours, and have not ended.' })
  in_progress: number;

  @ApiProperty({ ...COUNT, example: 12, description: 'Accepted an offer or kept the subscription.' })
  saved: number;

  @ApiProperty({ ...COUNT, example: 18, description: 'Went on to cancel.' })
  canceled: number;

  @ApiProperty({ ...COUNT, example: 6, description: 'Without a step for 24 hours.' })
  abandoned: number;
}

export class RatesDto implements Rates {
  @ApiProperty({
    ...SHARE,
    nullable: true,
    example: 0.25,
    description:
      'The share of ended sessions that accepted an offer. Customers who merely closed the window count as not accepting.',
  })
  accepted_offer: number | null;

  @ApiProperty({
    ...SHARE,
    nullable: true,
    example: 0.5,
    description: 'The share of ended sessions that were saved or abandoned.',
  })
  not_canceled: number | null;
}

/** Customers count once, however many sessions they had. */
export class CustomersDto implements Totals {
  @ApiProperty({ ...COUNT, example: 33, description: 'A session without a customer is a customer of its own.' })
  total: number;

  @ApiProperty({ ...COUNT, example: 10, description: 'The last that they decided in the span was to stay.' })
  saved: number;

  @ApiProperty({ ...COUNT, example: 15, description: 'The last that they decided in the span was to cancel.' })
  canceled: number;

  @ApiProperty({ ...COUNT, example: 3, description: 'Decided nothing in the span; a session is in progress.' })
  in_progress: number;

  @ApiProperty({ ...COUNT, example: 5, description: 'Decided nothing in the span; all sessions are abandoned.' })
  abandoned: number;
}

/** The 95 % confidence intervals of the rates (Wilson's score): the lower end and the upper end. */
export class IntervalsDto implements Rates<Interval> {
  @ApiProperty({ ...INTERVAL, example: [0.181, 0.454], description: 'Of `accepted_offer`; null when that is null.' })
  accepted_offer: Interval | null;

  @ApiProperty({ ...INTERVAL, example: [0.495, 0.779], description: 'Of `not_canceled`; null when that is null.' })
  not_canceled: Interval | null;
}
