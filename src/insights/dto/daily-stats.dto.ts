import { ApiProperty } from '@nestjs/swagger';
import { COUNT } from '../../common/schemas';
import { MAX_DAYS } from '../stats-span';

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
