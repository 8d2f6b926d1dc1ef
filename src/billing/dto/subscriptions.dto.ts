import { PickType } from '@nestjs/swagger';
import { AnyText, Choice, Flag, Integer, Many, Text } from '../../platform/api/fields/shown';
import { type ListedSubscription, MAX_LISTED } from '../model/provider';
import { CatalogPriceDto } from './catalog.dto';
import { PROVIDERS, type ProviderName } from '../../billing-jobs/billing-connection.entity';

export class ListedSubscriptionDto
  extends PickType(CatalogPriceDto, ['currency', 'interval', 'interval_count'])
  implements ListedSubscription
{
  @Text(255, 'Its id in the billing system.', 'sub_1Q2w3E')
  id: string;

  @AnyText.orNull(
    512,
    "The customer's name, else their e-mail address. Null: neither is known, or the key may not read customers.",
    'Ada Lovelace',
  )
  customer: string | null;

  @Text(40, 'As the billing system calls it: `active`, `trialing`, `past_due` and others.', 'active')
  status: string;

  @Integer.orNull(
    0,
    'In the smallest unit of the currency, before discounts and taxes. Null: it is not one fixed amount.',
    2900,
  )
  amount: number | null;
}

/** Subscriptions of the connected billing system. */
export class SubscriptionsDto {
  @Choice(PROVIDERS, 'The billing system.', 'stripe')
  provider: ProviderName;

  @Many(ListedSubscriptionDto, MAX_LISTED, 'The newest that have not ended.')
  subscriptions: ListedSubscriptionDto[];

  @Flag(`Whether there are more than these ${MAX_LISTED}.`, false)
  has_more: boolean;
}
