import type { ApiKey } from '@retention-flow/client';

/** What is shown of a key: its ends. */
export function ends({ prefix, last_four }: Pick<ApiKey, 'prefix' | 'last_four'>): string {
  return `${prefix}…${last_four}`;
}

/** @param now in milliseconds */
export function stateOf(
  { revoked_at, expires_at }: Pick<ApiKey, 'revoked_at' | 'expires_at'>,
  now: number,
): 'active' | 'revoked' | 'expired' {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) <= now ? 'expired' : 'active';
}

/** When a key expires whose last day is given, such as 2030-01-31; '' is never. */
export function expiryAfter(day: string): string | undefined {
  return day === '' ? undefined : `${day}T23:59:59.999Z`;
}
