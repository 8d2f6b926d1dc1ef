import { ApiExtraModels, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  EmailField,
  Field,
  IdListField,
  ObjectField,
  WordsField,
  UrlField,
} from '../../platform/api/fields/fields';
import { LocaleField, TranslationsField } from '../../platform/api/fields/language-fields';
import { type Metadata, MetadataField } from '../../platform/api/fields/metadata';
import { OwnKeyField } from '../../platform/api/fields/own-key-field';
import { AMOUNT } from '../../platform/api/fields/schemas';
import type { CanceledWords } from '../languages/canceled-words';
import { AFTER_CANCEL, type AfterCancel, FLOW_MODES, type FlowMode } from '../versions/flow-version.entity';
import { FLOW_STATUSES, type FlowStatus } from '../flow.entity';
import { MAX_OFFERS } from '../graph/graph-limits';
import type { SimpleSurvey } from '../graph/simple-definition';
import type { FlowExit } from '../flow-exit';
import { FlowExitDto } from './flow-exit.dto';
import type { FlowInstall } from '../review/button';
import { FlowInstallDto } from './flow-install.dto';
import { FlowDefinition, SimpleSurveyDto } from './flow-definition.dto';

const CANCELED_TEXT = `Placeholders: \`{{first_name|there}}\`, \`{{product_name}}\`, and \`{{until}}\`, the day on which the subscription ends.`;
const CANCELED_TITLE = {
  description: `The title of what a customer reads who cancels and stays; '': the service's own words. ${CANCELED_TEXT}`,
  example: 'Goodbye',
  max: 200,
  blank: true as const,
};
const CANCELED_BODY = {
  description: `The text below it; '': the service's own words. ${CANCELED_TEXT}`,
  example: 'You can use {{product_name}} until {{until}}.',
  max: 5000,
  blank: true as const,
};

/** What a customer reads who has canceled, in another language, with the same placeholders. */
export class CanceledTranslation implements CanceledWords {
  @WordsField({ ...CANCELED_TITLE, description: 'The title.', example: 'Auf Wiedersehen', optional: true })
  canceled_title?: string;

  @WordsField({
    ...CANCELED_BODY,
    description: 'The text below it.',
    example: 'Sie können {{product_name}} bis zum {{until}} nutzen.',
    optional: true,
  })
  canceled_body?: string;
}

/** The fields of a flow that its workspace sets. */
export class FlowFieldsDto {
  @WordsField({ description: 'The name of the flow.', example: 'Leaving Acme Pro', max: 200 })
  name: string;

  @WordsField({
    description: 'Product the flow is for. It is `{{product_name}}` in titles and bodies. Braces in it are plain text.',
    example: 'Acme Pro',
    max: 200,
  })
  product_name: string;

  @UrlField({
    description: 'Where the customer is redirected on cancel.',
    example: 'https://acme.example/account/cancel',
  })
  cancellation_url: string;

  @ChoiceField({
    description:
      '`simple`: the service composes the graph: start, a survey of reasons (`survey`), each of `offer_ids`, confirm. ' +
      '`advanced`: you send the graph as `definition`; until you do, the flow has the composed one.',
    values: FLOW_MODES,
    example: 'simple',
    default: 'simple',
  })
  flow_mode: FlowMode;

  @WordsField({
    description: 'A note for your own team; customers never see it.',
    example: 'For monthly plans.',
    max: 5000,
    blank: true,
    nullable: true,
  })
  description: string | null;

  @Field(
    {
      description: 'What a customer who stays is worth per month, in your currency, with at most two decimals.',
      example: 49.9,
      nullable: true,
    },
    AMOUNT,
    `must be a number from 0 to ${AMOUNT.maximum} with at most two decimals`,
    (value) =>
      typeof value === 'number' && value >= 0 && value <= AMOUNT.maximum && Math.round(value * 100) / 100 === value,
  )
  estimated_monthly_value: number | null;

  @EmailField({
    description:
      'Gets a mail about each session of this flow that is saved, contacted or canceled, and each accepted offer that ends soon, at most 30 an hour and one that sums up ' +
      'the others. Nothing is sent unless the operator has set `SMTP_URL`.',
    example: 'retention@acme.example',
    nullable: true,
  })
  notification_email: string | null;

  @MetadataField({
    description: 'Your own names for the flow, such as the product in your billing system. Events of the flow have it.',
    example: { stripe_product: 'prod_pro' },
    default: {},
  })
  metadata: Metadata;

  @ObjectField({
    description: 'The page for customers who leave without a session, as laws ask for it. Sent as a whole. null: none.',
    of: () => FlowExitDto,
    nullable: true,
    default: null,
  })
  exit: FlowExit | null;

  @ObjectField({
    description:
      'The page that has the cancel button, which the service can’t see. Sent as a whole. null: nobody said; the review takes it for the ' +
      'snippet that the console shows.',
    of: () => FlowInstallDto,
    nullable: true,
    default: null,
  })
  install: FlowInstall | null;

  @ObjectField({
    description:
      "Simple flows only: the survey in words of your own; null for the service's. A flow that becomes advanced has it in " +
      'its graph, and here null.',
    of: () => SimpleSurveyDto,
    nullable: true,
    default: null,
  })
  survey: SimpleSurvey | null;

  @LocaleField({
    description:
      "The language of the flow's texts. A simple flow has the service's own words in it, or in English if the service has none.",
    example: 'en',
    default: 'en',
  })
  locale: string;

  @ObjectField({
    description: 'The graph that customers walk through. Only an advanced flow takes one.',
    of: () => FlowDefinition,
  })
  definition: FlowDefinition;

  @BooleanField({
    description:
      'Whether the subscription of a customer who cancels is canceled in the billing system, at the end of its period. It needs ' +
      'a connection (`PUT /billing/connection`), and a customer token that names the subscription.',
    default: false,
  })
  cancel_in_billing: boolean;

  @ChoiceField({
    description:
      '`go`: a customer who cancels goes to the `cancellation_url`. `stay`: they read when the subscription ends, and go on from there. ' +
      'It needs `cancel_in_billing`. Where a person has to end the subscription, or nobody knows when it ends, they go.',
    values: AFTER_CANCEL,
    example: 'stay',
    default: 'go',
  })
  after_cancel: AfterCancel;

  @WordsField({ ...CANCELED_TITLE, default: '' })
  canceled_title: string;

  @WordsField({ ...CANCELED_BODY, default: '' })
  canceled_body: string;

  @TranslationsField({
    description: '`canceled_title` and `canceled_body` in other languages.',
    example: { de: { canceled_title: 'Auf Wiedersehen' } },
    of: CanceledTranslation,
    default: {},
  })
  translations: Record<string, CanceledWords>;
}

const REQUIRED = ['name', 'product_name', 'cancellation_url'] as const;

// What is picked of a class loses the models of its fields.
@ApiExtraModels(CanceledTranslation)
export class CreateFlowDto extends IntersectionType(
  PickType(FlowFieldsDto, REQUIRED),
  PartialType(OmitType(FlowFieldsDto, REQUIRED), { skipNullProperties: false }),
) {
  @ChoiceField({
    description: '`published`: sessions can start at once.',
    values: ['draft', 'published'],
    example: 'draft',
    default: 'draft',
    optional: true,
  })
  status?: 'draft' | 'published';

  @IdListField({
    description: 'Simple flows only: active offers of the workspace, in the order in which they are presented.',
    example: [],
    default: [],
    max: MAX_OFFERS,
    optional: true,
  })
  offer_ids?: string[];

  @OwnKeyField({
    description:
      'What configuration documents call the flow, the same in every workspace. It can be set once. Without one, they call it by its slug.',
    example: 'leaving-pro',
    optional: true,
  })
  key?: string;

  @OwnKeyField({
    description:
      'What the widget starts sessions with. It never changes, and no other flow of the service has it. Without one, the ' +
      'service makes one of the name.',
    example: 'leaving-acme-pro',
    optional: true,
  })
  slug?: string;
}

export class UpdateFlowDto extends PartialType(OmitType(CreateFlowDto, ['slug', 'status']), {
  skipNullProperties: false,
}) {
  @ChoiceField({
    description: 'Only a `published` flow can be started. Any status may follow any other.',
    values: FLOW_STATUSES,
    example: 'published',
    optional: true,
  })
  status?: FlowStatus;
}
