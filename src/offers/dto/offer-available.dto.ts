import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { isTimestamp, TimestampField } from '../../platform/api/fields/fields';
import type { OfferAvailable } from '../offered';

/** A time of which null means that there is none. It is kept in UTC. */
const EndField = (description: string, example: string) =>
  applyDecorators(
    Transform(({ value }) => (isTimestamp(value) ? new Date(value).toISOString() : (value as unknown))),
    TimestampField({ description, example, default: null, optional: true, nullable: true }),
  );

export class OfferAvailableDto implements OfferAvailable {
  @EndField(
    'Customers who come to the offer before this time do not see it. null: it has no start.',
    '2027-11-26T00:00:00.000Z',
  )
  from: string | null = null;

  @EndField(
    'Customers who come at this time or later do not see it. One who sees it already may still accept it. null: it has no end.',
    '2027-11-30T00:00:00.000Z',
  )
  until: string | null = null;
}
