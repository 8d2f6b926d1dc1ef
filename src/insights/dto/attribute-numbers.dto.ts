import { ApiProperty } from '@nestjs/swagger';
import { anyText, filledText, MAX_ATTRIBUTE_NAME } from '../../common/schemas';
import type { AttributeCount } from '../stats-queries';
import { ratesOf, totalsOf } from '../session-counts';
import { RatesDto, TotalsDto } from './counts.dto';

/** The most values of an attribute that are counted each for itself. */
export const MAX_VALUES = 50;

export class GroupNumbersDto {
  @ApiProperty({ type: TotalsDto })
  sessions: TotalsDto;

  @ApiProperty({ type: RatesDto })
  save_rate: RatesDto;

  static of(counts: AttributeCount[]): GroupNumbersDto {
    return { sessions: totalsOf(counts), save_rate: ratesOf(counts) };
  }
}

export class ValueNumbersDto extends GroupNumbersDto {
  @ApiProperty({
    oneOf: [anyText(1000), { type: ['number', 'boolean', 'null'] }],
    example: 'pro',
    description: 'As the session has it: 1 and "1" are two values. Null means that the attribute was given as null.',
  })
  value: AttributeCount['value'];
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

  static of(attribute: string, counts: AttributeCount[]): AttributeNumbersDto {
    const numbersOf = (group: AttributeCount['group']) =>
      GroupNumbersDto.of(counts.filter((one) => one.group === group));
    const values = counts.filter(({ group }) => group === 'value');
    return {
      attribute,
      values: values.map((count) => ({ value: count.value, ...GroupNumbersDto.of([count]) })),
      other: numbersOf('other'),
      none: numbersOf('none'),
    };
  }
}
