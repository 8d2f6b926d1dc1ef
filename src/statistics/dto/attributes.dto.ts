import { ApiProperty } from '@nestjs/swagger';
import { Choice, Many, Text } from '../../platform/api/fields/shown';
import { type Fact, FACT_NAMES } from '../../conditions/facts';
import type { ConditionValue } from '../../conditions/condition.dto';
import { ATTRIBUTE_VALUE } from './counts.dto';

/** The most names that are listed, and the most values of each. */
export const MAX_NAMES = 100;
export const MAX_SEEN_VALUES = 20;

const SeenValues = (example: ConditionValue[]) =>
  ApiProperty({
    type: 'array',
    items: ATTRIBUTE_VALUE,
    maxItems: MAX_SEEN_VALUES,
    example,
    description: 'The values that more than one of these customers has, the most frequent first.',
  });

export class SeenAttributeDto {
  @Text(200, 'Its name.', 'plan')
  name: string;

  @SeenValues(['pro', 'basic'])
  values: ConditionValue[];
}

export class SeenFactDto {
  @Choice(FACT_NAMES, 'Its name: see `FactCondition`.', 'months')
  name: Fact;

  @SeenValues([7, 3])
  values: ConditionValue[];
}

/** What is known of customers, so that branches can go by it. */
export class SeenAttributesDto {
  @Many(SeenAttributeDto, MAX_NAMES, 'The most frequent first.')
  attributes: SeenAttributeDto[];

  @Many(SeenFactDto, FACT_NAMES.length, 'The most frequent first.')
  facts: SeenFactDto[];
}
