import { ApiPropertyOptional, IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { ApiExamples } from '../../platform/api/fields/api-examples';
import { UpdatedDto } from '../../platform/api/changed.dto';
import { MAX_PAGE } from '../../platform/api/paging/pagination';
import { pick } from '../../platform/common/pick';
import { MAX_FIELD_ERRORS } from '../../platform/api/problems/problem';
import { BodyErrorDto } from '../../platform/api/problems/problem.dto';
import { Id, Integer, Text } from '../../platform/api/fields/shown';
import type { Version } from '../../tenancy/versions/versions';
import { DraftStateDto, VersionListItemDto } from '../../tenancy/versions/versions.dto';
import { OFFER_CONTENT } from '../fields';
import type { OfferContent } from '../offer-content.entity';
import type { OfferUse } from '../offer-uses';
import { CreateOfferDto, OfferDto } from './offer.dto';

/** An offer as customers will see it once its draft is published. */
export class OfferDraftDto extends IntersectionType(PickType(OfferDto, OFFER_CONTENT), DraftStateDto) {}

/** The fields of a draft to change. */
export class UpdateOfferDraftDto extends PartialType(PickType(CreateOfferDto, OFFER_CONTENT), {
  skipNullProperties: false,
}) {}

/** A version of an offer. */
export class OfferVersionDto extends IntersectionType(VersionListItemDto, PickType(OfferDto, OFFER_CONTENT)) {
  static of(version: Version<OfferContent>): OfferVersionDto {
    return pick(version, ['version', 'note', 'published_by', 'created_at', ...OFFER_CONTENT]);
  }
}

/** A flow whose current version presents an offer. */
export class OfferUseDto implements OfferUse {
  @Id.like('019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a')
  id: string;

  @Text.like(200, 'Leaving Acme Pro')
  name: string;

  @Text(20, 'Customers come to it if it is `published`.', 'published')
  status: string;
}

export class UpdatedOfferDto extends UpdatedDto {
  @ApiPropertyOptional({
    type: [OfferUseDto],
    maxItems: MAX_PAGE,
    description:
      'The flows whose current versions present the offer, newest first, without archived ones; absent if none does.',
  })
  used_in?: OfferUseDto[];

  @ApiPropertyOptional({
    type: [BodyErrorDto],
    maxItems: MAX_FIELD_ERRORS,
    description: `A price or a coupon in the terms that the billing system does not have, and texts that say another number than the terms, such as "Take 30 % off" where the terms give 35 %; the first ${MAX_FIELD_ERRORS}. Absent if there is nothing to say. The change is made all the same.`,
  })
  warnings?: BodyErrorDto[];
}

export class PublishedOfferDto extends UpdatedOfferDto {
  @Integer(1, 'The version that is live now. It is no new one if nothing is different.', 2)
  version: number;
}

export const ApiOfferDraftChanges = () =>
  ApiExamples(UpdateOfferDraftDto, {
    heading: { heading: 'Stay for less' },
    'a higher discount': {
      offer_value: '35%',
      cta_accept: 'Take 35 % off',
      terms: { percent_off: 35, duration: 'repeating', months: 3 },
    },
  });
