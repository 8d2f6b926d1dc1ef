import type { ProviderName } from '../billing-jobs/billing-connection.entity';
import type { ProviderKind } from './model/provider';
import { StripeProvider } from './stripe/stripe';

/** Every billing system that the service knows. */
export const PROVIDER_KINDS: Record<ProviderName, ProviderKind> = { stripe: StripeProvider };
