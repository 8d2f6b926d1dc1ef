import { AnyText, Choice, Currency, Flag, Integer, Many, Text } from '../../platform/api/shown';
import { type ListedSubscription, MAX_LISTED } from '../provider';
import { PROVIDERS, type ProviderName } from '../queue/billing-connection.entity';

export class ListedSubscriptionDto implements ListedSubscription {
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

  @Currency.like('EUR')
  currency: string;

  @Text(20, 'What is paid for: `day`, `week`, `month` or `year`.', 'month')
  interval: string;

  @Integer(1, 'How many of them.', 1)
  interval_count: number;
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
