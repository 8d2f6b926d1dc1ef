import { ApiProperty } from '@nestjs/swagger';
import { ChoiceField } from '../../common/fields';
import { MAX_PAGE, PageInfo, PageQuery } from '../../common/pagination';
import { anyText, filledText, ID, TIMESTAMP } from '../../common/schemas';
import { Offer, OFFER_STATUSES, OFFER_TYPES, type OfferStatus, type OfferType } from '../offer.entity';

export class ListOffersQuery extends PageQuery {
  @ChoiceField({
    description: 'Which offers to list.',
    values: OFFER_STATUSES,
    default: 'active',
    optional: true,
  })
  status: OfferStatus = 'active';
}

export class OfferListItemDto {
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

  @ApiProperty({ ...filledText(200), example: 'Take 30 % off' })
  cta_accept: string;

  @ApiProperty({ ...filledText(200), example: 'No thanks' })
  cta_decline: string;

  static of(offer: Offer): OfferListItemDto {
    const { id, name, offer_type, offer_value, offer_duration, heading, cta_accept, cta_decline } = offer;
    return { id, name, offer_type, offer_value, offer_duration, heading, cta_accept, cta_decline };
  }
}

export class OfferListDto extends PageInfo {
  @ApiProperty({ type: [OfferListItemDto], maxItems: MAX_PAGE })
  offers: OfferListItemDto[];
}

export class OfferDto extends OfferListItemDto {
  @ApiProperty({ ...anyText(5000), example: 'Keep everything you have, for 30 % less over the next three months.' })
  body: string;

  @ApiProperty({ enum: OFFER_STATUSES, example: 'active' })
  status: OfferStatus;

  @ApiProperty({ ...TIMESTAMP, example: '2026-11-21T09:30:00.000Z' })
  created_at: Date;

  @ApiProperty({ ...TIMESTAMP, example: '2026-11-21T09:30:00.000Z' })
  updated_at: Date;

  static override of(offer: Offer): OfferDto {
    const { body, status, created_at, updated_at } = offer;
    return { ...OfferListItemDto.of(offer), body, status, created_at, updated_at };
  }
}

export class CreatedOfferDto {
  @ApiProperty({ ...ID, example: '019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b' })
  id: string;

  @ApiProperty({ ...filledText(200), example: '30 % off for three months' })
  name: string;
}
