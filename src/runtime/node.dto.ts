import { ApiExtraModels, ApiProperty, OmitType, PickType } from '@nestjs/swagger';
import { pick } from '../common/pick';
import { KEY, oneOfBy } from '../common/schemas';
import { PageConfigDto, SurveyConfigDto, SurveyOptionDto } from '../flows/dto/flow-definition.dto';
import { MAX_OPTIONS, type ShownNode } from '../flows/flow-definition';
import { PresentedOfferDto } from '../offers/dto/offer-content.dto';
import { present, type ShownOffer } from '../offers/offer-content';

class RuntimeNodeDto {
  @ApiProperty({ ...KEY, example: 'start', description: 'Send it as the `node_key` of the step.' })
  key: string;
}

export class RuntimeStartDto extends RuntimeNodeDto {
  @ApiProperty({ enum: ['start'], description: 'A page to begin with. Its step is `continue`.' })
  type: 'start';

  @ApiProperty({ type: PageConfigDto })
  config: PageConfigDto;
}

export class ShownOptionDto extends PickType(SurveyOptionDto, ['value', 'label']) {}

export class ShownSurveyDto extends OmitType(SurveyConfigDto, ['options']) {
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
  @ApiProperty({
    enum: ['survey'],
    description:
      'A question, such as why the customer leaves. Its step is `answer`, with the `value` of an option as `option`.',
  })
  type: 'survey';

  @ApiProperty({ type: ShownSurveyDto })
  config: ShownSurveyDto;
}

export class RuntimeOfferDto extends RuntimeNodeDto {
  @ApiProperty({ enum: ['offer'], description: 'An offer to stay. Its steps are `accept` and `decline`.' })
  type: 'offer';

  @ApiProperty({ type: PresentedOfferDto })
  config: PresentedOfferDto;
}

export class RuntimeConfirmDto extends RuntimeNodeDto {
  @ApiProperty({ enum: ['confirm'], description: 'The last question. Its step is `confirm`.' })
  type: 'confirm';

  @ApiProperty({ type: PageConfigDto })
  config: PageConfigDto;
}

const NODES = {
  start: RuntimeStartDto,
  survey: RuntimeSurveyDto,
  offer: RuntimeOfferDto,
  confirm: RuntimeConfirmDto,
} as const satisfies Record<ShownNode['type'], unknown>;

/** What a widget renders: one of the classes above. */
export interface RuntimeNode {
  key: string;
  type: ShownNode['type'];
  config: object;
}

/** A node as its customer sees it: without where it leads, and with the offer in place of its id. */
export function shown({ key, type, config }: ShownNode, offer: ShownOffer | null): RuntimeNode {
  if (offer) return { key, type, config: present(offer) };
  if (type !== 'survey') return { key, type, config };
  return { key, type, config: { ...config, options: config.options.map((one) => pick(one, ['value', 'label'])) } };
}

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
