import { ApiProperty } from '@nestjs/swagger';
import { COUNT, integer, KEY } from '../../common/schemas';
import { MAX_WAYS, MAX_WEIGHT } from '../../flows/flow-definition';
import type { SplitNumbers, WayNumbers } from '../splits';
import { IntervalsDto, RatesDto } from './counts.dto';

export class WayNumbersDto implements WayNumbers {
  @ApiProperty({ ...KEY, example: 'discount' })
  name: string;

  @ApiProperty({ ...integer(0, MAX_WEIGHT), example: 50, description: 'Its weight in these versions.' })
  weight: number;

  @ApiProperty({ ...COUNT, example: 40, description: 'Sessions that were sent this way.' })
  sessions: number;

  @ApiProperty({ ...COUNT, example: 12, description: 'Those of them that were saved.' })
  saved: number;

  @ApiProperty({
    ...COUNT,
    example: 36,
    description: 'Those of them that were saved, canceled or abandoned. The rates are shares of these.',
  })
  ended: number;

  @ApiProperty({ type: RatesDto })
  save_rate: RatesDto;

  @ApiProperty({
    type: IntervalsDto,
    description:
      'Where the rates probably are with more sessions (95 %). When the intervals of two ways do not overlap, the ' +
      'difference means something; when they do, not yet.',
  })
  interval: IntervalsDto;
}

/** What became of the sessions that came to a split, by the way that they were sent. */
export class SplitNumbersDto implements SplitNumbers {
  @ApiProperty({ ...KEY, example: 'test' })
  node_key: string;

  @ApiProperty({ ...integer(1), example: 2, description: 'The first version that is counted here.' })
  from_version: number;

  @ApiProperty({
    ...integer(1),
    example: 3,
    description: 'The last one. In all of them, the ways have the same names, weights and targets.',
  })
  to_version: number;

  @ApiProperty({ type: [WayNumbersDto], maxItems: MAX_WAYS, description: 'All ways, in the order of the flow.' })
  ways: WayNumbersDto[];
}
