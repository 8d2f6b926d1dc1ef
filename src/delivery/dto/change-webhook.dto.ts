import { PartialType } from '@nestjs/swagger';
import { ApiExamples } from '../../common/api-examples';
import { ChoiceField, ChoicesField, IntegerField, TextField, UrlField } from '../../common/fields';
import { SUBSCRIBABLE_TYPES, type SubscribableType } from '../../events/event-types';
import { WEBHOOK_STATUSES, type WebhookStatus } from '../webhook.entity';

const DAY_SECONDS = 24 * 60 * 60;

export class CreateWebhookDto {
  @UrlField({
    description:
      'Where events are sent to, by POST. It must not be in a private network, unless the operator allows it.',
    example: 'https://acme.example/webhooks/retention',
  })
  url: string;

  @ChoicesField({
    description:
      'The types of events to send. If empty, all but `session.started`, which is sent only if it is named here: there are ' +
      'as many as sessions.',
    values: SUBSCRIBABLE_TYPES,
    example: ['session.saved', 'session.canceled'],
    default: [],
    optional: true,
  })
  event_types?: SubscribableType[];

  @TextField({
    description: 'What the webhook is for.',
    example: 'Tells our billing system who stays.',
    default: '',
    max: 5000,
    blank: true,
    optional: true,
  })
  description?: string;
}

export class UpdateWebhookDto extends PartialType(CreateWebhookDto, { skipNullProperties: false }) {
  @ChoiceField({
    description:
      '`disabled` stops sending. `enabled` starts it again, and forgets earlier failures. To get what happened in between, ' +
      'recover it.',
    values: WEBHOOK_STATUSES,
    example: 'enabled',
    optional: true,
  })
  status?: WebhookStatus;
}

export class RotateSecretDto {
  @IntegerField({
    description:
      'For so many seconds, what is sent is signed with both secrets, so that receivers can change over. 0: the previous ' +
      'secret ends at once.',
    example: DAY_SECONDS,
    default: DAY_SECONDS,
    min: 0,
    max: 7 * DAY_SECONDS,
    optional: true,
  })
  previous_valid_for_seconds: number = DAY_SECONDS;
}

export const ApiNewWebhook = () =>
  ApiExamples(CreateWebhookDto, {
    'all but session.started': { url: 'https://acme.example/webhooks/retention' },
    'some types': {
      url: 'https://acme.example/webhooks/outcomes',
      event_types: ['session.saved', 'session.canceled'],
      description: 'Tells our billing system who stays.',
    },
  });

export const ApiWebhookChanges = () =>
  ApiExamples(UpdateWebhookDto, {
    types: { event_types: ['session.saved', 'session.canceled', 'session.abandoned'] },
    disable: { status: 'disabled' },
    enable: { status: 'enabled' },
  });

export const ApiRotation = () =>
  ApiExamples(RotateSecretDto, {
    'within a day': { previous_valid_for_seconds: DAY_SECONDS },
    'at once': { previous_valid_for_seconds: 0 },
  });
