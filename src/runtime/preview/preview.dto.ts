import { PickType } from '@nestjs/swagger';
import { ApiExamples } from '../../platform/api/api-examples';
import { BooleanField, Field, isPlainObject, ObjectField } from '../../platform/api/fields';
import { LocaleField } from '../../platform/api/language-fields';
import { KEY } from '../../platform/api/schemas';
import { MAX_NODES } from '../../flows/graph-limits';
import { CustomerDto } from '../start/customer.dto';

const KEY_FORM = new RegExp(KEY.pattern);

/** The customer that a preview is as. It has no id, and nothing is counted for it. */
export class PreviewCustomerDto extends PickType(CustomerDto, ['attributes']) {}

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
      'true: the start and the end of the walk are sent as `session.started`, `session.saved` and `session.canceled`, with ' +
      '`"test": true`, to webhooks that ask for these with `test_events`; 30 a minute of a workspace, the others are left out.',
    example: true,
    default: false,
    optional: true,
  })
  events?: boolean;
}

export const ApiPreview = () =>
  ApiExamples(PreviewDto, {
    'the current version': {},
    'the draft': { draft: true },
    'in a language': { locale: 'de' },
    'with events': { events: true },
    'as a customer': { customer: { attributes: { plan: 'pro', seats: 12 } } },
  });
