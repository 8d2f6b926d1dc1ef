import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { KEY } from '../common/schemas';
import { PageConfigDto, SurveyConfigDto } from '../flows/dto/flow-definition.dto';
import type { FlowNode } from '../flows/flow-definition';
import { PresentedOfferDto } from '../offers/dto/offer-content.dto';

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

export class RuntimeSurveyDto extends RuntimeNodeDto {
  @ApiProperty({
    enum: ['survey'],
    description:
      'A question, such as why the customer leaves. Its step is `answer`, with the `value` of an option as `option`.',
  })
  type: 'survey';

  @ApiProperty({ type: SurveyConfigDto })
  config: SurveyConfigDto;
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
  types: readonly FlowNode['type'][],
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
