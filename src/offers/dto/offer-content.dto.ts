import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, IntersectionType, OmitType } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { ChoiceField, IdField, WordsField } from '../../platform/api/fields/fields';
import type { Json } from '../../platform/common/json';
import type { Metadata } from '../../platform/api/fields/metadata';
import { placeholderFault, withValues } from '../../platform/text/placeholders';
import { Choice, HttpsUrl, Key, One, Text } from '../../platform/api/fields/shown';
import { anyText, integer, jsonOf, KEY, METADATA } from '../../platform/api/fields/schemas';
import {
  KNOWN_IN_OFFERS,
  MAX_DATA,
  MAX_MONTHS,
  MONTHS_TO_CHOOSE,
  OFFER_OUTCOMES,
  OFFER_TYPES,
  type OfferOutcome,
  type OfferType,
} from '../terms/types';
import { OFFER_FIELDS, type OfferText } from '../fields';
import type { OfferTerms, PageImage } from '../terms/types';
import { PageImageDto, ShownPoints } from '../../images/dto/image.dto';
import { OfferTermsDto, TERMS } from './offer-terms.dto';

export const PLACEHOLDERS =
  '`{{first_name|there}}` is an attribute of the customer, or the words after the bar; `{{value}}` and `{{duration}}` are those of ' +
  'the offer. Where a customer token names the subscription and billing is connected, `{{price_now}}` and ' +
  '`{{price_then}}` are what the customer pays for a period now and with the offer, `{{until}}` is the day on which it ends, and ' +
  '`{{changes_on}}` the one on which a plan changes, if it changes at the end of the period; where that is not known, there are the words after a bar, or else their sentence is left out.';

export const OUTCOME =
  'What a customer has decided who accepts the offer. `open`, only for an offer of type `custom`, such as a call: nothing yet. The session is ' +
  '`contacted`, and counts as abandoned until your team reports an outcome `kept`.';
export const KIND = 'Tells your page which of its components shows the offer. Only for an offer of type `custom`.';
export const DATA = 'For that component. Customers get it with the offer.';

/** Text that customers read, with placeholders. */
export function ShownTextField({ description, ...options }: Parameters<typeof WordsField>[0]) {
  const faultOf = (value: unknown) =>
    typeof value === 'string' ? placeholderFault(value, KNOWN_IN_OFFERS) : undefined;
  return applyDecorators(
    WordsField({ ...options, description: `${description} ${PLACEHOLDERS}` }),
    ValidateBy({
      name: 'placeholders',
      validator: {
        validate: (value) => faultOf(value) === undefined,
        defaultMessage: (context) => faultOf(context!.value)!,
      },
    }),
  );
}

/** The fields of an offer that its workspace writes and customers see. */
export class OfferContentDto {
  @WordsField({
    description: 'Display name of the offer.',
    example: '30 % off for three months',
    max: OFFER_FIELDS.name.max,
  })
  name: string;

  @ChoiceField({ description: 'The kind of alternative.', values: OFFER_TYPES, example: 'discount_percentage' })
  offer_type: OfferType;

  @WordsField({
    description: 'The value in your own words: a percentage, an amount, a period.',
    example: '30%',
    default: OFFER_FIELDS.offer_value.default,
    max: OFFER_FIELDS.offer_value.max,
    blank: true,
  })
  offer_value: string;

  @WordsField({
    description: 'The duration in your own words.',
    example: '3 months',
    default: OFFER_FIELDS.offer_duration.default,
    max: OFFER_FIELDS.offer_duration.max,
    blank: true,
  })
  offer_duration: string;

  @ShownTextField({
    description: 'Heading shown to the customer. A new offer without one gets its name.',
    example: 'Stay for 30 % less',
    max: OFFER_FIELDS.heading.max,
  })
  heading: string;

  @ShownTextField({
    description: 'Body text shown to the customer.',
    example: 'Keep everything you have, for 30 % less over the next three months.',
    default: OFFER_FIELDS.body.default,
    max: OFFER_FIELDS.body.max,
    blank: true,
  })
  body: string;

  @ShownTextField({
    description: 'Label of the accept button.',
    example: 'Take 30 % off',
    default: OFFER_FIELDS.cta_accept.default,
    max: OFFER_FIELDS.cta_accept.max,
  })
  cta_accept: string;

  @ShownTextField({
    description: 'Label of the decline button.',
    example: 'No thanks',
    default: OFFER_FIELDS.cta_decline.default,
    max: OFFER_FIELDS.cta_decline.max,
  })
  cta_decline: string;
}

class OfferIdDto {
  @IdField({ description: 'The id of the offer.', example: '019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b' })
  id: string;
}

/** An offer as its workspace wrote it. */
export class WrittenOfferDto extends IntersectionType(OfferIdDto, OfferContentDto) {}

const shown = (field: OfferText, example: string) =>
  ApiProperty({ ...anyText(withValues(OFFER_FIELDS[field].max)), example });

/**
 * An offer as a customer sees it: with values in place of the placeholders, and without the name, which is for the
 * team.
 */
export class PresentedOfferDto extends OmitType(WrittenOfferDto, [
  'name',
  'heading',
  'body',
  'cta_accept',
  'cta_decline',
]) {
  @shown('heading', 'Stay for 30 % less')
  heading: string;

  @shown('body', 'Keep everything you have, for 30 % less over the next three months.')
  body: string;

  @shown('cta_accept', 'Take 30 % off')
  cta_accept: string;

  @shown('cta_decline', 'No thanks')
  cta_decline: string;

  @ApiPropertyOptional({ type: PageImageDto, description: 'A picture above the heading; absent without one.' })
  image?: PageImage;

  @ShownPoints('body')
  points?: string[];

  @ApiPropertyOptional({
    ...KEY,
    description: 'With the type `custom`: which component shows it.',
    example: 'book_a_call',
  })
  kind?: string;

  @ApiPropertyOptional({ ...jsonOf(MAX_DATA), description: 'For that component.', example: { calendar: 'success' } })
  data?: Json;

  @ApiPropertyOptional({
    type: 'array',
    items: integer(1, MAX_MONTHS),
    minItems: MONTHS_TO_CHOOSE.least,
    maxItems: MONTHS_TO_CHOOSE.most,
    description:
      'For how many months the customer may pause; show them to choose from, and send the chosen one with `accept`. Absent if there is ' +
      'nothing to choose.',
    example: [1, 2, 3],
  })
  months?: number[];
}

/**
 * An offer as it was accepted: without the labels of its buttons. `offer_duration` is what the customer chose, where
 * they did.
 */
export class AcceptedOfferDto extends OmitType(PresentedOfferDto, [
  'cta_accept',
  'cta_decline',
  'image',
  'points',
  'months',
  'kind',
  'data',
]) {}

/** What only an offer of type `custom` has. Others have the defaults. */
export class CustomOfferDto {
  @Choice(OFFER_OUTCOMES, OUTCOME, 'saved')
  outcome: OfferOutcome;

  @Key.orNull(KIND, null)
  kind: string | null;

  @ApiProperty({ ...jsonOf(MAX_DATA), description: DATA, example: null })
  data: Json | null;
}

/** An offer as it was shown, for the workspace: with its metadata and where it led at that moment. */
export class OfferRecordDto extends IntersectionType(AcceptedOfferDto, CustomOfferDto) {
  @Text(200, 'Its name when it was shown.', '30 % off for three months')
  name: string;

  @HttpsUrl.orNull('Where a customer who accepted it was sent; null: nowhere.', null)
  accept_url: string | null;

  @ApiProperty({
    ...METADATA,
    example: { stripe_coupon: 'stay-30' },
    description: 'The metadata of the offer when it was shown.',
  })
  metadata: Metadata;

  @One.orNull(OfferTermsDto, TERMS, null)
  terms: OfferTerms | null;
}
