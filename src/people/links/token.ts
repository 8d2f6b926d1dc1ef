import { randomBytes } from 'node:crypto';
import { consolePage } from '../../platform/common/console-page';

/** The form of a token: 32 random bytes in base64url. Stored is only its hash. */
export const TOKEN = { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$', maxLength: 43 } as const;

export const createToken = (): string => randomBytes(32).toString('base64url');

/**
 * The address of a page of the console that a token opens. The token is behind the #, so that no log and no other site
 * sees it.
 *
 * @param base the address of the service
 */
export function linkTo(page: 'setup' | 'invitation' | 'password', token: string, base: string): string {
  return consolePage(base, `${page}/${token}`);
}
