import { ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { ApiExamples } from '../../platform/api/fields/api-examples';
import {
  BooleanField,
  ChoiceField,
  Field,
  isAttributeValue,
  ObjectField,
  TextField,
} from '../../platform/api/fields/fields';
import { isPlainObject } from '../../platform/common/json';
import { AmountField, CurrencyField } from '../../platform/api/fields/money';
import { AnyText, Choice, Flag, Id } from '../../platform/api/fields/shown';
import { LocaleField } from '../../platform/api/fields/language-fields';
import { ATTRIBUTE_VALUE, KEY } from '../../platform/api/fields/schemas';
import { type Fact, FACT_NAMES, type FactKind, type Facts, FACTS, isValueOf } from '../../conditions/facts';
import { MAX_NODES } from '../../flows/graph/graph-limits';
import { CustomerDto, SUBSCRIPTION_ID } from '../start/customer.dto';
import { StartedSessionDto } from '../start/start.dto';
import { INTERVALS, type Subscription } from '../start/subscription';
import type { ForeseenEffect } from './effects';

const KEY_FORM = new RegExp(KEY.pattern);

/** A subscription of the billing system, by its `id`, or one that is made up of the other three fields. */
export class PreviewSubscriptionDto implements Subscription {
  @TextField({
    ...SUBSCRIPTION_ID,
    description: `${SUBSCRIPTION_ID.description} It takes the role \`editor\`, and has no other fields beside it.`,
    optional: true,
  })
  id?: string;

  @AmountField({ description: 'What the customer pays for an interval.', example: 2900, optional: true })
  amount?: number;

  @CurrencyField({ description: 'ISO 4217, in capital or small letters.', example: 'EUR', optional: true })
  currency?: string;

  @ChoiceField({ description: 'How often the customer pays it.', values: INTERVALS, example: 'month', optional: true })
  interval?: Subscription['interval'];
}

/** The customer of a preview. They have no id, and nothing is counted for them. */
export class PreviewCustomerDto extends PickType(CustomerDto, ['attributes']) {
  @ObjectField({
    description:
      'The subscription to walk as, if a billing system is connected: offers that it can’t apply are passed over, and prices are filled in, ' +
      'as if the connection were live. Nothing is changed.',
    of: () => PreviewSubscriptionDto,
    optional: true,
  })
  subscription?: PreviewSubscriptionDto;

  @Field(
    {
      description: 'Facts to walk with. They come before those of the `subscription`.',
      example: { months: 7, status: 'active' },
      optional: true,
    },
    {
      type: 'object',
      properties: Object.fromEntries(
        FACT_NAMES.map((name) => {
          const { type, is, values }: FactKind = FACTS[name];
          const form = values ? { enum: values } : type === 'string' ? { maxLength: ATTRIBUTE_VALUE.maxLength } : {};
          return [name, { type, description: `The ${is}.`, ...form }];
        }),
      ),
      additionalProperties: false,
    },
    `must be an object of the facts ${FACT_NAMES.join(', ')}, each a text, a number, or true or false, as the fact is`,
    (value) =>
      isPlainObject(value) &&
      Object.entries(value).every(
        ([name, one]) => FACT_NAMES.includes(name as Fact) && isValueOf(name as Fact, one) && isAttributeValue(one),
      ),
  )
  facts?: Facts;
}

export class PreviewDto {
  @ObjectField({
    description: 'The customer to walk as: branches go by the attributes. Without it, there are none.',
    of: () => PreviewCustomerDto,
    optional: true,
  })
  customer?: PreviewCustomerDto;

  @LocaleField({ description: "The language to walk in; without it, the flow's.", optional: true })
  locale?: string;

  @Field(
    {
      description:
        'The arm to take at a split, by the key of the split. At a split that is not named, the arm is drawn for the `session_id`.',
      example: { test: 'offer' },
      optional: true,
    },
    { type: 'object', maxProperties: MAX_NODES, propertyNames: KEY, additionalProperties: { ...KEY } },
    `must be an object of at most ${MAX_NODES} keys of splits and names of arms`,
    (value) =>
      isPlainObject(value) &&
      Object.keys(value).length <= MAX_NODES &&
      Object.entries(value)
        .flat()
        .every((one) => typeof one === 'string' && KEY_FORM.test(one)),
  )
  arm?: Record<string, string>;

  @BooleanField({
    description: 'true: the draft of the flow, as it is now, in place of the current version. 404 if there is none.',
    example: true,
    default: false,
    optional: true,
  })
  draft?: boolean;

  @BooleanField({
    description:
      'true: the start and the end of the walk are sent as `session.started`, `session.saved`, `session.contacted` and `session.canceled`, with ' +
      '`"test": true`, to webhooks that ask for these with `test_events`; 30 a minute of a workspace, the others are left out.',
    example: true,
    default: false,
    optional: true,
  })
  events?: boolean;
}

export class EffectDto implements ForeseenEffect {
  @Choice(['apply', 'cancel'], '`apply`: the customer accepts the offer. `cancel`: they leave.', 'apply')
  action: ForeseenEffect['action'];

  @Id.orNull('The offer; null if they leave.')
  offer_id: string | null;

  @Flag('Whether they would see the offer; true if they leave.', true)
  is_shown: boolean;

  @AnyText(2000, 'In English, for your team.', 'Payments pause until 25 January 2027; €58 is not billed.')
  text: string;
}

/** A preview that has started. */
export class StartedPreviewDto extends StartedSessionDto {
  @ApiPropertyOptional({
    type: [EffectDto],
    maxItems: MAX_NODES + 1,
    description: 'What each active offer of the flow, and leaving, would do to the `subscription`. Absent without one.',
  })
  effects?: EffectDto[];
}

export const ApiPreview = () =>
  ApiExamples(PreviewDto, {
    'the current version': {},
    'the draft': { draft: true },
    'in a language': { locale: 'de' },
    'with events': { events: true },
    'as a subscriber': { customer: { subscription: { amount: 2900, currency: 'EUR', interval: 'month' } } },
    'as a customer': { customer: { attributes: { plan: 'pro', seats: 12 } } },
  });
