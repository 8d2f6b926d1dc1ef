import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { ChoiceField, MomentField } from '../../platform/api/fields/fields';
import { AnyText, Count, Currency, Id, Key, Many, One, Text } from '../../platform/api/fields/shown';
import { UNPAGED } from '../../platform/api/fields/schemas';
import { AudienceField, WhereField } from '../../sessions/filter/segment';
import { ALL_READ } from '../dto/stats.dto';
import { ValueDto } from '../dto/value.dto';
import { MAX_PERIODS } from '../sums/intervals';

const MONTH = 'The first day of a month (UTC), such as 2026-11-01.';

export class ReportQuery {
  @MomentField({ description: `The first month. Without it, the one before \`to\`. ${MONTH}`, optional: true })
  from?: string;

  @MomentField({
    description: `The first month behind the report. Without it, the report ends with the last whole month, or with \`from\` if that is later. ${MONTH}`,
    optional: true,
  })
  to?: string;

  @ChoiceField({ description: 'Reports are by month.', values: ['month'], default: 'month', optional: true })
  interval?: 'month';

  @WhereField('sessions', ALL_READ)
  where?: string;

  @AudienceField('sessions')
  audience?: string;
}

export class KeptDto {
  @Currency.orNull("ISO 4217; amounts are in its smallest unit. Null: by the flows' `estimated_monthly_value`.", 'EUR')
  currency: string | null;

  @ApiProperty({
    type: 'number',
    minimum: 0,
    nullable: true,
    example: 44910,
    description:
      'What the customers who were saved pay a month, net of what they accepted: the `net` of the statistics. Null if it is unknown of one.',
  })
  amount: number | null;
}

const KEPT = 'The money that was kept, by currency. Null if sessions were deleted.';

class SavedDto {
  @Count.orNull('Customers who came, each once. Null if sessions were deleted.', 33)
  customers: number | null;

  @Count.orNull('Those of them who were saved.', 10)
  saved: number | null;

  @Many.orNull(KeptDto, UNPAGED, KEPT)
  kept: KeptDto[] | null;
}

const day = (description: string, example: string) =>
  ApiProperty({ type: 'string', format: 'date', maxLength: 10, example, description });

class SpanDto {
  @day('The first day (UTC).', '2026-11-01')
  from: string;

  @day('The first day that is not in it any more.', '2026-12-01')
  to: string;
}

/** Other months to compare with. */
export class ReportedSpanDto extends IntersectionType(SpanDto, SavedDto) {}

export class ReportedMonthDto extends SavedDto {
  @ApiProperty({ type: 'string', pattern: '^\\d{4}-\\d{2}$', maxLength: 7, example: '2026-11' })
  month: string;
}

export class ReportedReasonDto {
  @Key('The value of the option, in whatever survey and flow.', 'too_expensive')
  option: string;

  @Text(200, 'As most sessions that gave it have it, in the language of their flow.', 'Too expensive')
  label: string;

  @Count('Sessions that gave this answer.', 17)
  sessions: number;

  @Count('Those of them that were saved.', 6)
  saved: number;

  @Many.orNull(KeptDto, UNPAGED, KEPT)
  kept: KeptDto[] | null;
}

export class ReportedOfferDto {
  @Id.like('019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b')
  id: string;

  @Text.like(200, 'Half price')
  name: string;

  @Count('Sessions in which it was presented.', 20)
  presented: number;

  @Count('Sessions in which it was accepted, and which are saved.', 10)
  accepted: number;

  @Many.orNull(KeptDto, UNPAGED, KEPT)
  kept: KeptDto[] | null;
}

export class ReportedPlanDto extends SavedDto {
  @AnyText.orNull(1000, 'Null: it is not known. A customer who came with two plans counts in both.', 'Pro')
  plan: string | null;
}

/** The most plans of a report. */
export const MAX_PLANS = 100;

/** What happened in some months, beside the months before. */
export class ReportDto extends IntersectionType(SpanDto, SavedDto) {
  @ApiProperty({ enum: ['month'] })
  interval: 'month';

  @Many.orNull(
    ValueDto,
    UNPAGED,
    'What the customers are worth a month, as in the statistics: also before discounts. Null if sessions were deleted.',
  )
  value: ValueDto[] | null;

  @One(ReportedSpanDto, 'As many months, right before.')
  before: ReportedSpanDto;

  @One(ReportedSpanDto, 'The same months of the year before.')
  last_year: ReportedSpanDto;

  @Many(
    ReportedMonthDto,
    MAX_PERIODS,
    "Each month, oldest first. A customer counts in each that they came in, so don't add them up.",
  )
  months: ReportedMonthDto[];

  @Many(
    ReportedReasonDto,
    UNPAGED,
    'The most frequent first. An answer that was given in two surveys counts twice, and so does its customer.',
  )
  by_reason: ReportedReasonDto[];

  @Many(ReportedOfferDto, UNPAGED, 'The most presented first. A customer who accepted it in two flows counts twice.')
  by_offer: ReportedOfferDto[];

  @Many.orNull(
    ReportedPlanDto,
    MAX_PLANS,
    'By the plan that billing or a customer token named, or the page as the attribute `plan`: the ' +
      `${MAX_PLANS} with the most customers. Null if sessions were deleted.`,
  )
  by_plan: ReportedPlanDto[] | null;
}
