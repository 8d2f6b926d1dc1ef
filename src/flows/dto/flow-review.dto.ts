import { ApiProperty } from '@nestjs/swagger';
import { ChoiceField, PatternField } from '../../platform/api/fields';
import { AnyText, Choice, Many, Text } from '../../platform/api/shown';
import type { Finding } from '../review/review';
import { type Jurisdiction, JURISDICTIONS } from '../../workspaces/jurisdictions';
import { SEVERITIES, type Severity } from '../review/rule';

const ONE = JURISDICTIONS.join('|');

export class ReviewQuery {
  @PatternField(
    {
      description: `Jurisdictions, separated by commas: ${JURISDICTIONS.join(', ')}. Without it: the \`jurisdictions\` of the workspace.`,
      example: 'de,eu',
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
  @Text(64, 'The name of the rule in its jurisdiction.', 'plain_labels')
  rule: string;

  @Choice.like(JURISDICTIONS, 'eu')
  jurisdiction: Jurisdiction;

  @Choice.like(SEVERITIES, 'warning')
  severity: Severity;

  @AnyText(200, 'Where it is: a JSON Pointer into the flow.', '/offer_ids/0')
  pointer: string;

  @Text.like(1000, 'The button that declines this offer does not say so.')
  message: string;

  @Text(300, 'Where the rule was read.', 'Directive 2005/29/EC, Articles 6 and 7')
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
  @Many(FindingDto, 1000, 'The most severe first.')
  findings: FindingDto[];
}
