import { ApiProperty, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { ApiExamples } from '../../platform/api/fields/api-examples';
import {
  BooleanField,
  ChoiceField,
  ChoicesField,
  IntegerField,
  Field,
  WordsField,
  UrlField,
} from '../../platform/api/fields/fields';
import { OwnKeyField } from '../../platform/api/fields/own-key-field';
import { MAX_PAGE, type Page, PageInfo } from '../../platform/api/paging/pagination';
import { pick } from '../../platform/common/pick';
import { AnyText, Choice, Id, Many, OwnKey, Time } from '../../platform/api/fields/shown';
import { WhenField, type ConditionGroup } from '../../conditions/condition.dto';
import { SUBSCRIBABLE_TYPES, type SubscribableType } from '../../outbox/event-types';
import { shownUrlOf } from './shown-url';
import { Webhook, WEBHOOK_FORMATS, WEBHOOK_STATUSES, type WebhookFormat, type WebhookStatus } from './webhook.entity';

export const EXAMPLE_WEBHOOK_ID = '019a9f3c-b7c8-7d9e-8f0a-1b2c3d4e5f60';

/** Where a webhook is read. */
export const PATH_OF_WEBHOOK = '/api/v1/public/webhooks/:id';

const DAY_SECONDS = 24 * 60 * 60;

/** The settings of a webhook that its workspace chooses. */
export class WebhookSettingsDto {
  @ChoiceField({
    description:
      '`standard`: the bodies of `webhooks` in this document. `slack`: a message to a channel, at the URL of an incoming webhook. ' +
      '`segment`: a "track" call of the HTTP API of Segment. All are signed, sent in order and sent again alike.',
    values: WEBHOOK_FORMATS,
    example: 'standard',
    default: 'standard',
  })
  format: WebhookFormat;

  @UrlField({
    description:
      'Where events are sent to, by POST. It must not be in a private network, unless the operator allows it. Of Slack only the ' +
      'host is shown, `https://hooks.slack.com`: sent back, it means the URL that is stored, which ends with the format. For Segment: ' +
      '`https://api.segment.io/v1/track`, or of a workspace in the EU `https://events.eu1.segmentapis.com/v1/track`.',
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
  })
  event_types: SubscribableType[];

  @WhenField(
    'Only events of sessions for which these conditions hold, as in a branch, but without audiences: by what the session has when the ' +
      'event is sent, recovered or sent again. They hold of no event without a session, such as `customer.erased`, and of no preview. ' +
      'What billing says comes a moment after the start. null: all events of these types.',
    { nullable: true, default: null },
  )
  when: ConditionGroup | null;

  @BooleanField({
    description:
      'true: events of previews that were started with `events` are sent, too, of the same types, with `"test": true`.',
    example: false,
    default: false,
  })
  test_events: boolean;

  @WordsField({
    description: 'What the webhook is for.',
    example: 'Tells our billing system who stays.',
    default: '',
    max: 5000,
    blank: true,
  })
  description: string;
}

/** Visible ASCII characters but the colon, which ends the name of a user (RFC 7617, 2). */
const WRITE_KEY = /^[!-9;-~]{1,200}$/;

export class CreateWebhookDto extends IntersectionType(
  PickType(WebhookSettingsDto, ['url']),
  PartialType(OmitType(WebhookSettingsDto, ['url']), { skipNullProperties: false }),
) {
  @OwnKeyField({
    description:
      'What configuration documents call the webhook, the same in every workspace. It can be set once. Without one, they call it by `webhook-` and the end of its id.',
    example: 'billing',
    optional: true,
  })
  key?: string;

  @Field(
    {
      description:
        'The write key of the source in Segment. `segment` needs one, and another with the URL of another host. No other format takes ' +
        'one. It is not shown again.',
      example: 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6',
      optional: true,
    },
    { type: 'string', pattern: WRITE_KEY.source, minLength: 1, maxLength: 200 },
    'must be 1 to 200 visible ASCII characters without a colon',
    (value) => typeof value === 'string' && WRITE_KEY.test(value),
  )
  write_key?: string;
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
      'The seconds for which requests are signed with both secrets, so that receivers can change over. 0: the previous ' +
      'secret ends at once.',
    example: DAY_SECONDS,
    default: DAY_SECONDS,
    min: 0,
    max: 7 * DAY_SECONDS,
    optional: true,
  })
  previous_valid_for_seconds: number = DAY_SECONDS;
}

const SHOWN = [
  'id',
  'key',
  'format',
  'url',
  'description',
  'event_types',
  'when',
  'test_events',
  'status',
  'disabled_reason',
  'failing_since',
  'created_at',
  'updated_at',
] as const satisfies (keyof Webhook)[];

class WebhookIdDto {
  @Id.like(EXAMPLE_WEBHOOK_ID)
  id: string;
}

/** A webhook without its secret. */
export class WebhookDto extends IntersectionType(WebhookIdDto, WebhookSettingsDto) {
  @OwnKey.orNull('null: none was chosen.', 'billing')
  key: string | null;

  @Choice(
    WEBHOOK_STATUSES,
    '`disabled`: nothing is sent but `test`. Events are still recorded, and can be recovered.',
    'enabled',
  )
  status: WebhookStatus;

  @AnyText.orNull(500, 'Why the service disabled it; null if it did not.', null)
  disabled_reason: string | null;

  @Time.orNull(
    'The time of the first failed attempt since the last successful one; null if none has failed since. A receiver that limits (429) does not fail.',
    null,
  )
  failing_since: Date | null;

  @Time.like('2026-11-21T09:30:00.000Z')
  created_at: Date;

  @Time.like('2026-11-21T09:30:00.000Z')
  updated_at: Date;

  static of(webhook: Webhook): WebhookDto {
    return { ...pick(webhook, SHOWN), url: shownUrlOf(webhook) };
  }
}

export class WebhookListDto extends PageInfo {
  @Many(WebhookDto, MAX_PAGE)
  webhooks: WebhookDto[];

  static of({ items, next_cursor }: Page<Webhook>): WebhookListDto {
    return { webhooks: items.map((webhook) => WebhookDto.of(webhook)), next_cursor };
  }
}

export class CreatedWebhookDto extends PickType(WebhookDto, ['id', 'url']) {
  @ApiProperty({
    type: 'string',
    pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
    maxLength: 50,
    example: `whsec_${'A'.repeat(43)}=`,
    description:
      'The key that signs what is sent (Standard Webhooks 1.0): `whsec_` and the key in base64. It is shown only here.',
  })
  secret: string;
}

export class RotatedSecretDto extends PickType(CreatedWebhookDto, ['id', 'secret']) {}

export const ApiNewWebhook = () =>
  ApiExamples(CreateWebhookDto, {
    'all but session.started': { url: 'https://acme.example/webhooks/retention' },
    'some types': {
      url: 'https://acme.example/webhooks/outcomes',
      event_types: ['session.saved', 'session.canceled'],
      description: 'Tells our billing system who stays.',
    },
    'a channel of Slack': {
      format: 'slack',
      url: 'https://hooks.slack.com/services/T0000/B0000/XXXX',
      event_types: ['session.saved', 'session.canceled'],
    },
    'cancellations of more than 100 a month': {
      url: 'https://acme.example/webhooks/alerts',
      event_types: ['session.canceled'],
      when: { all: [{ fact: 'amount', is: '>', value: 10_000 }] },
    },
    'a source of Segment': {
      format: 'segment',
      url: 'https://api.segment.io/v1/track',
      write_key: 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6',
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
