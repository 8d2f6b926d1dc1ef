import { ApiProperty } from '@nestjs/swagger';
import { SHARE } from '../../platform/api/fields/schemas';
import type { Interval } from '../experiments/experiment';
import { Count, Integer, Share } from '../../platform/api/fields/shown';

/** How many rows of `LastingDto` there are: after 30, 60, 90 and 180 days. */
export const LASTING_ROWS = 4;

/** Whether saves last. */
export class LastingDto {
  @Integer.like(1, 30)
  days: number;

  @Count('Customers of the span who were saved at least `days` days ago. The newest of these saves counts.', 40)
  customers: number;

  @Count('Those of them who have not canceled since: in no session of any flow, and by no reported outcome.', 31)
  still_there: number;

  @Share.orNull('Their share; null without customers.', 0.775)
  rate: number | null;

  @Share.orNull(
    'Of those saved, the part that stays for `days` (Kaplan–Meier): since the newest save, until a cancellation that still stands. Those ' +
      'who were saved later count for as long as they were watched. Null if nobody was watched so long.',
    0.81,
  )
  stay: number | null;

  @ApiProperty({
    type: 'array',
    items: SHARE,
    minItems: 2,
    maxItems: 2,
    nullable: true,
    example: [0.69, 0.89],
    description: 'Where `stay` probably is with more customers (95 %).',
  })
  interval: Interval | null;

  @Count('Customers who were watched for `days`, and stayed.', 31)
  at_risk: number;
}
