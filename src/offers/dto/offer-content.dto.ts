import { ApiProperty, OmitType } from '@nestjs/swagger';
import type { Metadata } from '../../common/metadata';
import { anyText, filledText, ID, METADATA } from '../../common/schemas';
import type { AcceptedOffer, OfferRecord, PresentedOffer } from '../offer-content';
import { OFFER_TYPES, type OfferType } from '../offer.entity';

/** An offer as a customer sees it. */
export class PresentedOfferDto implements PresentedOffer {
  @ApiProperty({ ...ID, example: '019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b' })
  id: string;

  @ApiProperty({ ...filledText(200), example: '30 % off for three months' })
  name: string;

  @ApiProperty({ enum: OFFER_TYPES, example: 'discount_percentage' })
  offer_type: OfferType;

  @ApiProperty({ ...anyText(200), example: '30%' })
  offer_value: string;

  @ApiProperty({ ...anyText(200), example: '3 months' })
  offer_duration: string;

  @ApiProperty({ ...filledText(200), example: 'Stay for 30 % less' })
  heading: string;

  @ApiProperty({ ...anyText(5000), example: 'Keep everything you have, for 30 % less over the next three months.' })
  body: string;

  @ApiProperty({ ...filledText(200), example: 'Take 30 % off' })
  cta_accept: string;

  @ApiProperty({ ...filledText(200), example: 'No thanks' })
  cta_decline: string;
}

/** An offer as it was accepted: without the labels of its buttons. */
export class AcceptedOfferDto
  extends OmitType(PresentedOfferDto, ['cta_accept', 'cta_decline'])
  implements AcceptedOffer {}

/** An offer as it was shown, for the workspace: with its metadata of that moment. */
export class OfferRecordDto extends AcceptedOfferDto implements OfferRecord {
  @ApiProperty({
    ...METADATA,
    example: { stripe_coupon: 'stay-30' },
    description: 'The metadata of the offer when it was shown.',
  })
  metadata: Metadata;
}
