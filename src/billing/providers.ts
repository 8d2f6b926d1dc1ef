import type { ProviderName } from './queue/billing-connection.entity';
import type { ProviderKind } from './provider';
import { StripeProvider } from './stripe';

/** Every billing system that the service knows. */
export const PROVIDER_KINDS: Record<ProviderName, ProviderKind> = { stripe: StripeProvider };
