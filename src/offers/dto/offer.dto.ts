import { ApiProperty, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { ApiExamples } from '../../platform/api/fields/api-examples';
import type { Json } from '../../platform/common/json';
import { ChoiceField, Field, KeyField, ObjectField, WordsField } from '../../platform/api/fields/fields';
import { JsonField } from '../../platform/api/fields/json-field';
import { TranslationsField } from '../../platform/api/fields/language-fields';
import { OwnKeyField } from '../../platform/api/fields/own-key-field';
import { type Metadata, MetadataField } from '../../platform/api/fields/metadata';
import { NamePartField } from '../../platform/api/paging/name-part';
import { MAX_PAGE, type Page, PageInfo, PageQuery } from '../../platform/api/paging/pagination';
import { pick } from '../../platform/common/pick';
import { Choice, HttpsUrl, Integer, Many, One, OwnKey, Time } from '../../platform/api/fields/shown';
import { anyText, HTTPS_URL, METADATA, oneOf } from '../../platform/api/fields/schemas';
import { isText, isWebUrl } from '../../platform/api/fields/text';
import { DEFAULT_LIMIT, fieldsIn, OFFER_CONTENT, OFFER_FIELDS } from '../fields';
import { OfferLimitDto } from '../../workspaces/dto/offer-limit.dto';
import type { OfferLimit } from '../../workspaces/offer-limit';
import { Offer, OFFER_STATUSES, type OfferStatus } from '../offer.entity';
import { PageImageDto, PageImageField, PointsField } from '../../images/dto/image.dto';
import { MAX_ALT, MAX_POINT, MAX_POINTS } from '../../images/image-limits';
import {
  MAX_DATA,
  OFFER_OUTCOMES,
  type OfferOutcome,
  type OfferTerms,
  type OfferTranslation,
  type PageImage,
} from '../terms/types';
import {
  CustomOfferDto,
  DATA,
  KIND,
  OfferContentDto,
  OUTCOME,
  PLACEHOLDERS,
  ShownTextField,
  WrittenOfferDto,
} from './offer-content.dto';
import type { OfferAvailable } from '../offered';
import { OfferAvailableDto } from './offer-available.dto';
import { OfferTermsDto, TERMS } from './offer-terms.dto';
import { AllGroup, AnyGroup, type ConditionGroup, WhenField } from '../../conditions/condition.dto';

export class ListOffersQuery extends PageQuery {
  @ChoiceField({
    description: 'Which offers to list.',
    values: OFFER_STATUSES,
    default: 'active',
    optional: true,
  })
  status: OfferStatus = 'active';

  @OwnKeyField({ description: 'Only the offer with this `key`.', optional: true })
  key?: string;

  @NamePartField('offers')
  q?: string;
}

export class OfferListItemDto extends OmitType(WrittenOfferDto, ['body']) {}

export class OfferListDto extends PageInfo {
  @Many(OfferListItemDto, MAX_PAGE)
  offers: OfferListItemDto[];

  static of({ items, next_cursor }: Page<OfferListItemDto>): OfferListDto {
    return { offers: items, next_cursor };
  }
}

/** The texts of an offer in another language. */
export class OfferTranslationDto implements OfferTranslation {
  @WordsField({
    description: 'The heading.',
    example: 'Bleiben Sie für 30 % weniger',
    max: OFFER_FIELDS.heading.max,
    blank: true,
    optional: true,
  })
  heading?: string;

  @WordsField({ description: 'The body text.', max: OFFER_FIELDS.body.max, blank: true, optional: true })
  body?: string;

  @WordsField({ description: 'The accept button.', max: OFFER_FIELDS.cta_accept.max, blank: true, optional: true })
  cta_accept?: string;

  @WordsField({ description: 'The decline button.', max: OFFER_FIELDS.cta_decline.max, blank: true, optional: true })
  cta_decline?: string;

  @WordsField({
    description: 'The title after accepting.',
    max: OFFER_FIELDS.accepted_title.max,
    blank: true,
    optional: true,
  })
  accepted_title?: string;

  @WordsField({
    description: 'The text after accepting.',
    max: OFFER_FIELDS.accepted_body.max,
    blank: true,
    optional: true,
  })
  accepted_body?: string;

  @PointsField('By their places; one that is blank or missing is shown in the original language.', { optional: true })
  points?: string[];

  @WordsField({ description: 'The `alt` of the picture.', max: MAX_ALT, blank: true, optional: true })
  image_alt?: string;
}

const TRANSLATIONS = {
  description: 'The texts in other languages, each with the placeholders of the text that it translates.',
  example: { de: { heading: 'Bleiben Sie für 30 % weniger', cta_accept: '30 % sparen' } },
  of: OfferTranslationDto,
};

const LIMIT =
  'How often a customer may accept the offer, in all flows of the workspace; null: as often as they like, even several times in a ' +
  'row. A customer who has is not shown the offer: it is passed over, as if it were archived. Acceptances count by the id of the ' +
  'customer, and by the subscription that a customer token names: whoever else signs in for it has accepted it, too. What somebody without a token accepts does not count for those with one. Sessions ' +
  'without a customer have no limit.';

const NEW_LIMIT = `${LIMIT} A new offer with \`terms\` has {"accepted": ${DEFAULT_LIMIT.accepted}, "within_days": ${DEFAULT_LIMIT.within_days}} unless it is sent; one without has null.`;

const ACCEPTED_TITLE =
  "The title that a customer reads who has accepted the offer; '': the service's own words, in the customer's language.";
const ACCEPTED_BODY =
  "What a customer reads below it; '': the service's own words, such as until when the subscription is paused, if billing does " +
  'that. While it has not yet, they say so, too.';

const ACCEPT_URL =
  'Where a customer goes who has accepted the offer, such as the check-out of the yearly plan, or a calendar; null: nowhere. ' +
  'https only.';

const AVAILABLE =
  'When customers see the offer; null: at any time. At other times it is passed over, as if it were archived, and the step says `not_now`.';
const WHEN =
  'Whom the offer is for: it is passed over unless `all` or `any` of these conditions hold, and the step says `conditions`. An offer goes by ' +
  'attributes and by facts of the subscription; answers, earlier sessions and audiences are for branches. null: it is for everybody.';

export class OfferDto extends IntersectionType(WrittenOfferDto, CustomOfferDto) {
  @OwnKey.orNull('null: none was chosen.', 'half-price')
  key: string | null;

  @Choice.like(OFFER_STATUSES, 'active')
  status: OfferStatus;

  @ApiProperty({ ...anyText(OFFER_FIELDS.accepted_title.max), description: ACCEPTED_TITLE, example: '' })
  accepted_title: string;

  @ApiProperty({ ...anyText(OFFER_FIELDS.accepted_body.max), description: ACCEPTED_BODY, example: '' })
  accepted_body: string;

  @HttpsUrl.orNull(ACCEPT_URL, null)
  accept_url: string | null;

  @ApiProperty({ ...METADATA, example: { stripe_coupon: 'stay-30' }, description: 'Your own; no customer sees it.' })
  metadata: Metadata;

  @One.orNull(OfferLimitDto, LIMIT)
  limit: OfferLimit | null;

  @One.orNull(OfferTermsDto, TERMS)
  terms: OfferTerms | null;

  @One.orNull(PageImageDto, 'A picture above the heading; null: none.', null)
  image: PageImage | null;

  @ApiProperty({
    type: 'array',
    items: anyText(MAX_POINT),
    maxItems: MAX_POINTS,
    description: 'Points below the body.',
    example: [],
  })
  points: string[];

  @TranslationsField(TRANSLATIONS)
  translations: Offer['translations'];

  @One.orNull(OfferAvailableDto, AVAILABLE, null)
  available: OfferAvailable | null;

  @ApiProperty({ ...oneOf([AllGroup, AnyGroup]), nullable: true, description: WHEN, example: null })
  when: ConditionGroup | null;

  @Integer(1, 'Goes up by one with each change to a field that versions have: all but `key` and `status`.', 1)
  current_version: number;

  @Time.like('2026-11-21T09:30:00.000Z')
  created_at: Date;

  @Time.like('2026-11-21T09:30:00.000Z')
  updated_at: Date;

  static of(offer: Offer): OfferDto {
    return pick(offer, [
      // First as older versions of the service had them: the order is in the ETag.
      'name',
      'id',
      ...fieldsIn('record'),
      ...OFFER_CONTENT,
      'key',
      'status',
      'current_version',
      'created_at',
      'updated_at',
    ]);
  }
}

export class CreatedOfferDto extends PickType(WrittenOfferDto, ['id', 'name']) {}

const REQUIRED = ['name', 'offer_type'] as const;

export class CreateOfferDto extends IntersectionType(
  PickType(OfferContentDto, REQUIRED),
  PartialType(OmitType(OfferContentDto, REQUIRED), { skipNullProperties: false }),
) {
  @Field(
    { description: ACCEPT_URL, default: OFFER_FIELDS.accept_url.default, optional: true, nullable: true },
    HTTPS_URL,
    'must be a URL like https://acme.example/upgrade (https) of at most 2048 characters, without credentials, spaces or backslashes',
    (value) => isText(value, HTTPS_URL.maxLength) && isWebUrl(value) && /^https:/i.test(value),
  )
  accept_url?: string | null;

  @ShownTextField({
    description: ACCEPTED_TITLE,
    default: OFFER_FIELDS.accepted_title.default,
    max: OFFER_FIELDS.accepted_title.max,
    blank: true,
    optional: true,
  })
  accepted_title?: string;

  @ShownTextField({
    description: ACCEPTED_BODY,
    example: 'You pay {{price_then}} until {{until}}.',
    default: OFFER_FIELDS.accepted_body.default,
    max: OFFER_FIELDS.accepted_body.max,
    blank: true,
    optional: true,
  })
  accepted_body?: string;

  @MetadataField({
    description:
      'Your own names for the offer, such as the coupon to apply. Sessions and events that tell of the offer have it, as it ' +
      'was when the offer was shown.',
    example: { stripe_coupon: 'stay-30' },
    default: OFFER_FIELDS.metadata.default,
    optional: true,
  })
  metadata?: Metadata;

  @ObjectField({ description: NEW_LIMIT, of: () => OfferLimitDto, optional: true, nullable: true })
  limit?: OfferLimit | null;

  @ObjectField({
    description: TERMS,
    of: () => OfferTermsDto,
    default: OFFER_FIELDS.terms.default,
    optional: true,
    nullable: true,
  })
  terms?: OfferTerms | null;

  @PageImageField({ default: OFFER_FIELDS.image.default })
  image?: PageImage | null;

  @PointsField(PLACEHOLDERS, { default: OFFER_FIELDS.points.default, optional: true })
  points?: string[];

  @TranslationsField({ ...TRANSLATIONS, default: OFFER_FIELDS.translations.default, optional: true })
  translations?: Offer['translations'];

  @ChoiceField({ description: OUTCOME, values: OFFER_OUTCOMES, default: OFFER_FIELDS.outcome.default, optional: true })
  outcome?: OfferOutcome;

  @KeyField({
    description: KIND,
    default: OFFER_FIELDS.kind.default,
    optional: true,
    nullable: true,
  })
  kind?: string | null;

  @JsonField({
    description: DATA,
    max: MAX_DATA,
    default: OFFER_FIELDS.data.default,
    optional: true,
    nullable: true,
  })
  data?: Json | null;

  @ObjectField({
    description: AVAILABLE,
    of: () => OfferAvailableDto,
    default: OFFER_FIELDS.available.default,
    optional: true,
    nullable: true,
  })
  available?: OfferAvailable | null;

  @WhenField(WHEN, {
    example: { all: [{ fact: 'months', is: '>=', value: 6 }] },
    default: OFFER_FIELDS.when.default,
    optional: true,
    nullable: true,
  })
  when?: ConditionGroup | null;

  @OwnKeyField({
    description:
      'What configuration documents call the offer, the same in every workspace. It can be set once. Without one, they call it by `offer-` and the end of its id.',
    example: 'half-price',
    optional: true,
  })
  key?: string;
}

export class UpdateOfferDto extends PartialType(CreateOfferDto, { skipNullProperties: false }) {
  @ChoiceField({
    description: '`active` brings an archived offer back: flows that still name it show it again.',
    values: OFFER_STATUSES,
    optional: true,
  })
  status?: OfferStatus;
}

export const ApiNewOffer = () =>
  ApiExamples(CreateOfferDto, {
    discount: {
      name: '30 % off for three months',
      offer_type: 'discount_percentage',
      offer_value: '30%',
      offer_duration: '3 months',
      heading: 'Stay for 30 % less',
      body: 'Keep everything you have, for 30 % less over the next three months.',
      cta_accept: 'Take 30 % off',
      cta_decline: 'No thanks',
      limit: { accepted: 1, within_days: 180 },
      terms: { percent_off: 30, duration: 'repeating', months: 3 },
    },
    pause: {
      name: 'Pause for a month',
      offer_type: 'pause_subscription',
      offer_duration: '1 month',
      heading: 'Take a break instead',
      cta_accept: 'Pause my subscription',
      terms: { months: 1 },
    },
    'a call, which is no save': {
      name: 'A call with our team',
      offer_type: 'custom',
      heading: 'Let us set it up with you',
      cta_accept: 'Book a call',
      outcome: 'open',
      kind: 'book_a_call',
      data: { calendar: 'success' },
    },
    'another plan': {
      name: 'The yearly plan',
      offer_type: 'plan_change',
      offer_value: 'yearly',
      heading: 'Two months free each year',
      cta_accept: 'See the yearly plan',
      accept_url: 'https://acme.example/account/yearly',
    },
  });

export const ApiOfferChanges = () =>
  ApiExamples(UpdateOfferDto, {
    heading: { heading: 'Stay for less' },
    value: { offer_value: '50%', heading: 'Stay for half the price', cta_accept: 'Take 50 % off' },
    metadata: { metadata: { stripe_coupon: 'stay-50' } },
    'go somewhere': { accept_url: 'https://acme.example/account/yearly' },
    'once a year': { limit: { accepted: 1, within_days: 365 } },
    'without a limit': { limit: null },
    'for a weekend': { available: { from: '2027-11-26T00:00:00.000Z', until: '2027-11-30T00:00:00.000Z' } },
    'for those of half a year': { when: { all: [{ fact: 'months', is: '>=', value: 6 }] } },
    'a coupon of yours': { offer_type: 'discount_percentage', terms: { coupon: 'stay-50' } },
    'in German, too': {
      translations: {
        de: { heading: 'Bleiben Sie für 30 % weniger', cta_accept: '30 % sparen', cta_decline: 'Nein danke' },
      },
    },
  });
