import { ApiExtraModels, ApiProperty, ApiPropertyOptional, IntersectionType, PickType } from '@nestjs/swagger';
import { pick } from '../platform/common/pick';
import { withValues } from '../platform/text/placeholders';
import { Choice, Key, One, Text } from '../platform/api/fields/shown';
import { anyText, oneOfBy } from '../platform/api/fields/schemas';
import { CustomConfig, SurveyConfig, SurveyOption } from '../flows/dto/flow-definition.dto';
import type { ShownNode } from '../flows/graph/flow-definition';
import { PageImageDto, ShownPoints } from '../images/dto/image.dto';
import { MAX_OPTIONS } from '../conditions/condition-limits';
import { PresentedOfferDto } from '../offers/dto/offer-content.dto';
import type { RuntimeNode } from './shown-node';

class ShownPageDto {
  @Text(withValues(200), 'The heading.', 'Before you go')
  title: string;

  @ApiPropertyOptional({
    ...anyText(withValues(5000)),
    example: 'It takes a minute.',
    description: 'The text below it.',
  })
  body?: string;
}

class LookedAtPageDto extends ShownPageDto {
  @ApiPropertyOptional({
    type: PageImageDto,
    nullable: true,
    description: 'A picture above the heading; absent or null: none. A URL that begins with `/` is on this service.',
  })
  image?: PageImageDto | null;

  @ShownPoints('text')
  points?: string[];
}

class RuntimeNodeDto {
  @Key('Send it as the `node_key` of the step.', 'start')
  key: string;
}

export class RuntimeStartDto extends RuntimeNodeDto {
  @Choice(['start'], 'A page to begin with. Its step is `continue`.')
  type: 'start';

  @One(LookedAtPageDto)
  config: LookedAtPageDto;
}

export class ShownOptionDto extends PickType(SurveyOption, ['value', 'label', 'comment_label']) {}

export class ShownSurveyDto extends IntersectionType(ShownPageDto, PickType(SurveyConfig, ['comment', 'multiple'])) {
  @ApiProperty({
    type: [ShownOptionDto],
    minItems: 1,
    maxItems: MAX_OPTIONS,
    description: 'The answers to choose from.',
    example: [{ value: 'other', label: 'Something else' }],
  })
  options: ShownOptionDto[];
}

export class RuntimeSurveyDto extends RuntimeNodeDto {
  @Choice(
    ['survey'],
    'A question, such as why the customer leaves. Its step is `answer`, with the `value` of an option as `option`, or with several as `options` if it is `multiple`.',
  )
  type: 'survey';

  @One(ShownSurveyDto)
  config: ShownSurveyDto;
}

export class RuntimeOfferDto extends RuntimeNodeDto {
  @Choice(['offer'], 'An offer to stay. Its steps are `accept` and `decline`.')
  type: 'offer';

  @One(PresentedOfferDto)
  config: PresentedOfferDto;
}

export class RuntimeConfirmDto extends RuntimeNodeDto {
  @Choice(['confirm'], 'The last question. Its step is `confirm`.')
  type: 'confirm';

  @One(LookedAtPageDto)
  config: LookedAtPageDto;
}

export class ShownCustomDto extends IntersectionType(
  PickType(ShownPageDto, ['title']),
  PickType(CustomConfig, ['kind', 'data']),
) {}

export class RuntimeCustomDto extends RuntimeNodeDto {
  @Choice(
    ['custom'],
    "A page that the site's own component shows. Its step is `answer`, with what the component gives as `result`, or without one.",
  )
  type: 'custom';

  @One(ShownCustomDto)
  config: ShownCustomDto;
}

const NODES = {
  start: RuntimeStartDto,
  survey: RuntimeSurveyDto,
  offer: RuntimeOfferDto,
  confirm: RuntimeConfirmDto,
  custom: RuntimeCustomDto,
} as const satisfies Record<ShownNode['type'], unknown>;

const EXAMPLE: RuntimeNode = {
  key: 'start',
  type: 'start',
  config: { title: 'Before you go', body: 'Tell us why you are leaving Acme Pro. It takes a minute.' },
};

/** Documents a node of one of these types. */
export function ApiNodeProperty(
  types: readonly ShownNode['type'][],
  { description, nullable }: { description: string; nullable?: true },
): PropertyDecorator {
  const node = oneOfBy('type', pick(NODES, types));
  return (target, property) => {
    ApiExtraModels(...Object.values(NODES))(target.constructor);
    ApiProperty({ description, example: EXAMPLE, ...(nullable ? { anyOf: [node, { type: 'null' }] } : node) })(
      target,
      property,
    );
  };
}
