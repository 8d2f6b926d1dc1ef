import { ApiProperty } from '@nestjs/swagger';
import { ChoiceField, PatternField, TextField } from '../../platform/api/fields/fields';
import { AnyText, Choice, Many, Text } from '../../platform/api/fields/shown';
import type { Finding } from '../review/review';
import { type Jurisdiction, JURISDICTIONS } from '../../workspaces/jurisdictions';
import { BUTTON_WORDS, type ButtonWord } from '../review/button';
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

  @ChoiceField({
    description:
      'Deprecated: store it as `install.button_leads_to` of the flow, which it stands in for. `flow` is `widget`, `exit_page` is `exit`, ' +
      '`elsewhere` is a page of your own.',
    values: BUTTON_WORDS,
    example: 'flow',
    optional: true,
  })
  button?: ButtonWord;

  @TextField({
    description: 'The `data-message-cancel` of your pages, if they have one: the words of the link that cancels.',
    example: 'Cancel now',
    max: 200,
    optional: true,
  })
  cancel_label?: string;
}

export class FindingDto implements Finding {
  @Text(64, 'The name of the rule in its jurisdiction.', 'plain_labels')
  rule: string;

  @Choice(
    JURISDICTIONS,
    'Where the rule applies. Rules of the Union reach its member states, and federal ones each state, unless these have their own.',
    'eu',
  )
  jurisdiction: Jurisdiction;

  @Choice.like(SEVERITIES, 'warning')
  severity: Severity;

  @AnyText(
    200,
    'Where it is: a JSON Pointer into the flow; `/button` or `/cancel_label` for what the query says of your pages.',
    '/offer_ids/0',
  )
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
