import { IntegerField } from '../../platform/api/fields/fields';
import { MAX_ACCEPTED, type OfferLimit } from '../offer-limit';

export class OfferLimitDto implements OfferLimit {
  @IntegerField({
    description: 'How often a customer may accept the offer, or with the limit of a workspace any offer.',
    example: 1,
    min: 1,
    max: MAX_ACCEPTED,
  })
  accepted: number;

  @IntegerField({
    description:
      'Within this many days of 24 hours. Acceptances count only while their sessions are kept: if the operator has set ' +
      '`SESSION_RETENTION_MONTHS`, a longer time makes no difference. Erasing a customer forgets theirs.',
    example: 180,
    min: 1,
    max: 3650,
  })
  within_days: number;
}
