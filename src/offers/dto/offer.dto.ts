import { ApiProperty, OmitType, PickType } from '@nestjs/swagger';
import { ChoiceField } from '../../common/fields';
import type { Metadata } from '../../common/metadata';
import { MAX_PAGE, type Page, PageInfo, PageQuery } from '../../common/pagination';
import { pick } from '../../common/pick';
import { METADATA, TIMESTAMP } from '../../common/schemas';
import { SHOWN } from '../offer-content';
import { Offer, OFFER_STATUSES, type OfferStatus } from '../offer.entity';
import { PresentedOfferDto } from './offer-content.dto';

export class ListOffersQuery extends PageQuery {
  @ChoiceField({
    description: 'Which offers to list.',
    values: OFFER_STATUSES,
    default: 'active',
    optional: true,
  })
  status: OfferStatus = 'active';
}

export class OfferListItemDto extends OmitType(PresentedOfferDto, ['body']) {}

export class OfferListDto extends PageInfo {
  @ApiProperty({ type: [OfferListItemDto], maxItems: MAX_PAGE })
  offers: OfferListItemDto[];

  static of({ items, next_cursor }: Page<OfferListItemDto>): OfferListDto {
    return { offers: items, next_cursor };
  }
}

export class OfferDto extends PresentedOfferDto {
  @ApiProperty({ enum: OFFER_STATUSES, example: 'active' })
  status: OfferStatus;

  @ApiProperty({ ...METADATA, example: { stripe_coupon: 'stay-30' }, description: 'Your own; no customer sees it.' })
  metadata: Metadata;

  @ApiProperty({ ...TIMESTAMP, example: '2026-11-21T09:30:00.000Z' })
  created_at: Date;

  @ApiProperty({ ...TIMESTAMP, example: '2026-11-21T09:30:00.000Z' })
  updated_at: Date;

  static of(offer: Offer): OfferDto {
    return pick(offer, [...SHOWN, 'status', 'created_at', 'updated_at']);
  }
}

export class CreatedOfferDto extends PickType(PresentedOfferDto, ['id', 'name']) {}
