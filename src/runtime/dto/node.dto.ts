import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { anyText, filledText, KEY } from '../../common/schemas';
import { type FlowNode, type SurveyComment, SURVEY_COMMENTS } from '../../flows/flow-definition';
import { AcceptedOfferDto } from './accepted-offer.dto';

const MAX_OPTIONS = 20;

export class ShownPageDto {
  @ApiProperty({ ...filledText(200), example: 'Before you go' })
  title: string;

  @ApiPropertyOptional({ ...anyText(5000), example: 'Tell us why you are leaving Acme Pro. It takes a minute.' })
  body?: string;
}

export class ShownOptionDto {
  @ApiProperty({ ...KEY, example: 'too_expensive', description: 'Send it as the `option` of the step.' })
  value: string;

  @ApiProperty({ ...filledText(200), example: 'Too expensive' })
  label: string;

  @ApiPropertyOptional({ ...KEY, example: 'offer_1', description: 'Where it leads; the service follows it by itself.' })
  next?: string;
}

export class ShownQuestionDto extends ShownPageDto {
  @ApiPropertyOptional({
    enum: SURVEY_COMMENTS,
    example: 'optional',
    description: 'Whether to ask for a comment; without it, none is taken.',
  })
  comment?: SurveyComment;

  @ApiProperty({ type: [ShownOptionDto], minItems: 1, maxItems: MAX_OPTIONS })
  options: ShownOptionDto[];
}

export class ShownOfferDto extends AcceptedOfferDto {
  @ApiProperty({ ...filledText(200), example: 'Take 30 % off' })
  cta_accept: string;

  @ApiProperty({ ...filledText(200), example: 'No thanks' })
  cta_decline: string;
}

class RuntimeNodeDto {
  @ApiProperty({ ...KEY, example: 'start', description: 'Send it as the `node_key` of the step.' })
  key: string;
}

export class RuntimeStartDto extends RuntimeNodeDto {
  @ApiProperty({ enum: ['start'], description: 'A page to begin with. Its step is `continue`.' })
  type: 'start';

  @ApiProperty({ type: ShownPageDto })
  config: ShownPageDto;
}

export class RuntimeSurveyDto extends RuntimeNodeDto {
  @ApiProperty({ enum: ['survey'], description: 'A question, such as why the customer leaves. Its step is `answer`.' })
  type: 'survey';

  @ApiProperty({ type: ShownQuestionDto })
  config: ShownQuestionDto;
}

export class RuntimeOfferDto extends RuntimeNodeDto {
  @ApiProperty({ enum: ['offer'], description: 'An offer to stay. Its steps are `accept` and `decline`.' })
  type: 'offer';

  @ApiProperty({ type: ShownOfferDto })
  config: ShownOfferDto;
}

export class RuntimeConfirmDto extends RuntimeNodeDto {
  @ApiProperty({ enum: ['confirm'], description: 'The last question. Its step is `confirm`.' })
  type: 'confirm';

  @ApiProperty({ type: ShownPageDto })
  config: ShownPageDto;
}

const NODES = {
  start: RuntimeStartDto,
  survey: RuntimeSurveyDto,
  offer: RuntimeOfferDto,
  confirm: RuntimeConfirmDto,
} as const satisfies Record<FlowNode['type'], unknown>;

/** What a widget renders: one of the classes above. */
export interface RuntimeNode {
  key: string;
  type: FlowNode['type'];
  config: object;
}

const EXAMPLE: RuntimeNode = {
  key: 'start',
  type: 'start',
  config: { title: 'Before you go', body: 'Tell us why you are leaving Acme Pro. It takes a minute.' },
};

/** Documents a node of one of these types. */
export function ApiNodeProperty(
  types: FlowNode['type'][],
  { description, nullable }: { description: string; nullable?: true },
): PropertyDecorator {
  const node = {
    oneOf: types.map((type) => ({ $ref: getSchemaPath(NODES[type]) })),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(types.map((type) => [type, getSchemaPath(NODES[type])])),
    },
  };
  return (target, property) => {
    ApiExtraModels(...Object.values(NODES))(target.constructor);
    ApiProperty({ description, example: EXAMPLE, ...(nullable ? { anyOf: [node, { type: 'null' }] } : node) })(
      target,
      property,
    );
  };
}
