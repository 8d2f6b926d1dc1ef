import { ApiProperty } from '@nestjs/swagger';
import { ChoiceField, PatternField } from '../../platform/api/fields';
import { anyText, filledText } from '../../platform/api/schemas';
import type { Finding } from '../review/review';
import { type Jurisdiction, JURISDICTIONS, SEVERITIES, type Severity } from '../review/rule';

const ONE = JURISDICTIONS.join('|');

export class ReviewQuery {
  @PatternField(
    {
      description: `Jurisdictions, separated by commas: ${JURISDICTIONS.join(', ')}. Without it: all of them.`,
      example: JURISDICTIONS.join(','),
      optional: true,
    },
    { type: 'string', maxLength: 100, pattern: `^(${ONE})(,(${ONE})){0,${JURISDICTIONS.length - 1}}$` },
    `must be jurisdictions separated by commas: ${JURISDICTIONS.join(', ')}`,
  )
  rules?: string;

  @ChoiceField({
    description: '`true`: the draft, instead of what is live.',
    values: ['true', 'false'],
    optional: true,
  })
  draft?: 'true' | 'false';
}

export class FindingDto implements Finding {
  @ApiProperty({ ...filledText(64), example: 'plain_labels', description: 'The name of the rule in its jurisdiction.' })
  rule: string;

  @ApiProperty({ enum: JURISDICTIONS, example: 'eu' })
  jurisdiction: Jurisdiction;

  @ApiProperty({ enum: SEVERITIES, example: 'warning' })
  severity: Severity;

  @ApiProperty({ ...anyText(200), example: '/offer_ids/0', description: 'Where it is: a JSON Pointer into the flow.' })
  pointer: string;

  @ApiProperty({ ...filledText(1000), example: 'The button that declines this offer does not say so.' })
  message: string;

  @ApiProperty({
    ...filledText(300),
    example: 'Directive 2005/29/EC, Articles 6 and 7',
    description: 'Where the rule was read.',
  })
  source: string;

  @ApiProperty({
    type: 'string',
    format: 'date',
    maxLength: 10,
    example: '2026-11-24',
    description: 'When it was read.',
  })
  as_of: string;
}

/** Hints, and no legal advice. */
export class ReviewDto {
  @ApiProperty({ type: [FindingDto], maxItems: 1000, description: 'The most severe first.' })
  findings: FindingDto[];
}
