import { PartialType } from '@nestjs/swagger';
import {
  ChoiceField,
  EmailField,
  Field,
  FieldOptions,
  IdListField,
  ObjectField,
  TextField,
  UrlField,
} from '../../common/fields';
import { AMOUNT } from '../../common/schemas';
import { FLOW_MODES, type FlowMode } from '../flow-version.entity';
import { FLOW_STATUSES, type FlowStatus } from '../flow.entity';
import { MAX_OFFERS } from '../flow-definition';
import { FlowDefinitionDto } from './flow-definition.dto';

function AmountField(options: FieldOptions) {
  return Field(
    options,
    AMOUNT,
    `must be a number from 0 to ${AMOUNT.maximum} with at most two decimals`,
    (value) =>
      typeof value === 'number' && value >= 0 && value <= AMOUNT.maximum && Math.round(value * 100) / 100 === value,
  );
}

export class CreateFlowDto {
  @TextField({ description: 'The name of the flow.', example: 'Leaving Acme Pro', max: 200 })
  name: string;

  @TextField({ description: 'Product the flow is for.', example: 'Acme Pro', max: 200 })
  product_name: string;

  @UrlField({
    description: 'Where the customer is redirected on cancel.',
    example: 'https://acme.example/account/cancel',
  })
  cancellation_url: string;

  @ChoiceField({
    description:
      '`simple`: the service composes the graph: start, a survey of reasons, each of `offer_ids`, confirm. ' +
      '`advanced`: the graph is the `definition` you send; until you do, the composed one stands.',
    values: FLOW_MODES,
    default: 'simple',
    optional: true,
  })
  flow_mode?: FlowMode;

  @TextField({
    description: 'A note for your own team; customers never see it.',
    example: 'For monthly plans.',
    max: 5000,
    blank: true,
    nullable: true,
  })
  description?: string | null;

  @AmountField({
    description: 'What a customer who stays is worth a month, in your currency, with at most two decimals.',
    example: 49.9,
    nullable: true,
  })
  estimated_monthly_value?: number | null;

  @EmailField({
    description: 'Who in your team cares for this flow. It is stored; the service sends no mail.',
    example: 'retention@acme.example',
    nullable: true,
  })
  notification_email?: string | null;

  @IdListField({
    description: 'Only for a simple flow: active offers of the workspace, in the order in which they are presented.',
    example: [],
    default: [],
    max: MAX_OFFERS,
    optional: true,
  })
  offer_ids?: string[];

  @ObjectField({
    description: 'Only for an advanced flow: the graph that a customer walks.',
    of: () => FlowDefinitionDto,
    optional: true,
  })
  definition?: FlowDefinitionDto;
}

export class UpdateFlowDto extends PartialType(CreateFlowDto, { skipNullProperties: false }) {
  @ChoiceField({
    description: 'Only a `published` flow can be started. Every status may follow every other.',
    values: FLOW_STATUSES,
    example: 'published',
    optional: true,
  })
  status?: FlowStatus;
}
