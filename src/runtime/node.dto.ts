import { ApiExtraModels, ApiProperty, ApiPropertyOptional, IntersectionType, PickType } from '@nestjs/swagger';
import { pick } from '../common/pick';
import { languagesFor } from '../common/languages';
import { type Attributes, resolve, withValues } from '../common/placeholders';
import { anyText, filledText, KEY, oneOfBy } from '../common/schemas';
import { SurveyConfig, SurveyOption } from '../flows/dto/flow-definition.dto';
import { type ShownNode, shownNodeOf } from '../flows/flow-definition';
import { configIn } from '../flows/flow-translations';
import type { FlowVersion } from '../flows/flow-version.entity';
import { MAX_OPTIONS } from '../flows/graph-limits';
import { PresentedOfferDto } from '../offers/dto/offer-content.dto';
import { present, type ShownOffer } from '../offers/offer-content';

class ShownPageDto {
  @ApiProperty({ ...filledText(withValues(200)), example: 'Before you go', description: 'The heading.' })
  title: string;

  @ApiPropertyOptional({
    ...anyText(withValues(5000)),
    example: 'It takes a minute.',
    description: 'The text below it.',
  })
  body?: string;
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

export class ShownOptionDto extends PickType(SurveyOption, ['value', 'label']) {}

export class ShownSurveyDto extends IntersectionType(ShownPageDto, PickType(SurveyConfig, ['comment'])) {
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

  @ApiProperty({ type: ShownPageDto })
  config: ShownPageDto;
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

/** What decides how the nodes of a version are shown to a customer. */
export interface Reader {
  version: Pick<FlowVersion, 'definition' | 'product_name' | 'flow_mode' | 'locale' | 'survey'>;
  locale: string;
  attributes: Attributes;
}

/**
 * A node of a version as its customer sees it: in their language, without where it leads, with values in its texts, and with the
 * offer in place of its id.
 */
export function shown(
  { version, locale, attributes }: Reader,
  node_key: string,
  offer: ShownOffer | null,
): RuntimeNode {
  const node = shownNodeOf(version.definition, node_key);
  const { key, type } = node;
  if (offer) return { key, type, config: present(offer) };
  if (type === 'offer') return { key, type, config: node.config };
  const { product_name } = version;
  const config = configIn(version, node, languagesFor(locale, version.locale));
  const { title, body } = config;
  const texts = {
    title: resolve(title, attributes, { product_name }),
    ...(body !== undefined && { body: resolve(body, attributes, { product_name }) }),
  };
  if (!('options' in config)) return { key, type, config: { ...config, ...texts } };
  const options = config.options.map((one) => pick(one, ['value', 'label']));
  return { key, type, config: { ...config, ...texts, options } };
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
