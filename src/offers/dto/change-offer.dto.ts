import { PartialType } from '@nestjs/swagger';
import { ApiExamples } from '../../common/api-examples';
import { ChoiceField, TextField } from '../../common/fields';
import { type Metadata, MetadataField } from '../../common/metadata';
import { OFFER_TYPES, type OfferType } from '../offer.entity';

export class CreateOfferDto {
  @TextField({ description: 'Display name of the offer.', example: '30 % off for three months', max: 200 })
  name: string;

  @ChoiceField({ description: 'The kind of alternative.', values: OFFER_TYPES, example: 'discount_percentage' })
  offer_type: OfferType;

  @TextField({
    description: 'The value in your own words: a percentage, an amount, a period.',
    example: '30%',
    default: '',
    max: 200,
    blank: true,
    optional: true,
  })
  offer_value?: string;

  @TextField({
    description: 'The duration in your own words.',
    example: '3 months',
    default: '',
    max: 200,
    blank: true,
    optional: true,
  })
  offer_duration?: string;

  @TextField({
    description: 'Heading shown to the customer. A new offer without one gets its name.',
    example: 'Stay for 30 % less',
    max: 200,
    optional: true,
  })
  heading?: string;

  @TextField({
    description: 'Body text shown to the customer.',
    example: 'Keep everything you have, for 30 % less over the next three months.',
    default: '',
    max: 5000,
    blank: true,
    optional: true,
  })
  body?: string;

  @TextField({
    description: 'Label of the accept button.',
    example: 'Take 30 % off',
    default: 'Accept offer',
    max: 200,
    optional: true,
  })
  cta_accept?: string;

  @TextField({
    description: 'Label of the decline button.',
    example: 'No thanks',
    default: 'No thanks',
    max: 200,
    optional: true,
  })
  cta_decline?: string;

  @MetadataField({
    description:
      'Your own names for the offer, such as the coupon to apply. Sessions and events that tell of the offer have it, as it ' +
      'was when the offer was shown.',
    example: { stripe_coupon: 'stay-30' },
    default: {},
    optional: true,
  })
  metadata?: Metadata;
}

export class UpdateOfferDto extends PartialType(CreateOfferDto, { skipNullProperties: false }) {}

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
      metadata: { stripe_coupon: 'stay-30' },
    },
    pause: {
      name: 'Pause for a month',
      offer_type: 'pause_subscription',
      offer_duration: '1 month',
      heading: 'Take a break instead',
      cta_accept: 'Pause my subscription',
    },
  });

export const ApiOfferChanges = () =>
  ApiExamples(UpdateOfferDto, {
    heading: { heading: 'Stay for less' },
    value: { offer_value: '50%', heading: 'Stay for half the price', cta_accept: 'Take 50 % off' },
    metadata: { metadata: { stripe_coupon: 'stay-50' } },
  });
