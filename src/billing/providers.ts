import type { ProviderName } from '../billing-jobs/billing-connection.entity';
import type { Config } from '../settings/config';
import type { ProviderKind } from './model/provider';
import { StripeProvider } from './stripe/stripe';

/** A billing system, and where its interface is. */
interface Registered {
  kind: ProviderKind;
  url: (config: Config) => string;
}

/** Every billing system that the service knows. */
export const REGISTERED: Record<ProviderName, Registered> = {
  stripe: { kind: StripeProvider, url: ({ stripeApiUrl }) => stripeApiUrl },
};
