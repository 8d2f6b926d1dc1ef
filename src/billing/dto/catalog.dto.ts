import { ApiProperty } from '@nestjs/swagger';
import { AnyText, Choice, Currency, Flag, Integer, Many, Text } from '../../platform/api/fields/shown';
import { PROVIDERS, type ProviderName } from '../../billing-jobs/billing-connection.entity';
import { type Catalog, type CatalogCoupon, type CatalogPrice, MAX_LISTED } from '../model/provider';

export class CatalogPriceDto implements CatalogPrice {
  @Text(255, 'What `terms.price` of an offer names.', 'price_1Q2w3E')
  id: string;

  @AnyText.orNull(255, 'Its nickname, else its lookup key.', 'Basic, monthly')
  name: string | null;

  @Integer.orNull(
    0,
    'In the smallest unit of the currency. Null: it is billed by usage or in tiers, or is no whole number.',
    1900,
  )
  amount: number | null;

  @Currency.like('EUR')
  currency: string;

  @Text(20, 'What is paid for: `day`, `week`, `month` or `year`.', 'month')
  interval: string;

  @Integer(1, 'How many of them.', 1)
  interval_count: number;
}

export class CatalogCouponDto implements CatalogCoupon {
  @Text(255, 'What `terms.coupon` of an offer names.', 'stay-30')
  id: string;

  @AnyText.orNull(255, undefined, '30 % off for 3 months')
  name: string | null;

  @ApiProperty({ type: 'number', nullable: true, minimum: 0, maximum: 100, example: 30 })
  percent_off: number | null;

  @Integer.orNull(0, 'In the smallest unit of the currency.', null)
  amount_off: number | null;

  @Currency.orNull('Of `amount_off`.', null)
  currency: string | null;

  @Text(20, '`once`, `repeating` or `forever`.', 'repeating')
  duration: string;

  @Integer.orNull(1, 'With `repeating`.', 3)
  months: number | null;
}

/** What offers can name of the connected billing system. */
export class CatalogDto implements Catalog {
  @Choice(PROVIDERS, 'The billing system.', 'stripe')
  provider: ProviderName;

  @Many.orNull(CatalogPriceDto, MAX_LISTED, 'Prices that are paid again and again. Null: the key may not read them.')
  prices: CatalogPriceDto[] | null;

  @Many(CatalogCouponDto, MAX_LISTED, 'Coupons that can still be redeemed.')
  coupons: CatalogCouponDto[];

  @Flag(`Whether there are more than these ${MAX_LISTED}.`, false)
  has_more_prices: boolean;

  @Flag(`Whether there are more than these ${MAX_LISTED}.`, false)
  has_more_coupons: boolean;
}
