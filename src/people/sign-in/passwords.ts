import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Problem } from '../../platform/api/problems/problem';
import { ConcurrencyLimit } from '../../platform/database/queue/concurrency-limit';

const derive: (password: string, salt: Buffer, bytes: number, options: ScryptOptions) => Promise<Buffer> =
  promisify(scrypt);

/** OWASP Password Storage Cheat Sheet, scrypt: 32 MiB and some 150 ms of a core for each. */
const COST = { N: 2 ** 15, r: 8, p: 3 };
const MAX_MEMORY = 48 * 1024 * 1024;
/**
 * The hashes that this process derives at a time, at most half of them for one client. Others wait up to 3 s, then get
 * 503.
 */
const AT_A_TIME = 2;
const BYTES = 32;

/** The least length of a password (NIST SP 800-63B-4 asks for length, and for nothing else). */
export const MIN_PASSWORD = 12;
export const MAX_PASSWORD = 200;

/** Throws a 400 if a new password is too short. */
export function requireLength(password: string): void {
  if (password.length >= MIN_PASSWORD) return;
  throw Problem.invalid([{ pointer: '/password', message: `must have at least ${MIN_PASSWORD} characters` }]);
}

/** Makes and compares what is stored of passwords, within a bound of memory. */
@Injectable()
export class Passwords {
  private readonly limit = new ConcurrencyLimit(AT_A_TIME);
  /** The cost of what is stored from now on. Tests lower it. */
  cost = COST;

  /**
   * The stored form of a password: `scrypt$N$r$p$salt$key`, so that the cost can be raised later.
   *
   * @param client whom it is derived for: clients take turns
   */
  async store(password: string, client: string): Promise<string> {
    const salt = randomBytes(16);
    const key = await this.derive(password, salt, this.cost, client);
    const { N, r, p } = this.cost;
    return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
  }

  /** Whether a password is the one that is stored. Takes as long if nothing is. */
  async isRight(password: string, stored: string | null | undefined, client: string): Promise<boolean> {
    const [, N, r, p, salt, expected] = (stored ?? this.nobodys).split('$');
    const cost = { N: Number(N), r: Number(r), p: Number(p) };
    const key = await this.derive(password, Buffer.from(salt, 'base64url'), cost, client);
    return timingSafeEqual(key, Buffer.from(expected, 'base64url')) && !!stored;
  }

  /** The hash that a password is compared with if nothing is stored. */
  private get nobodys(): string {
    const { N, r, p } = this.cost;
    return ['scrypt', N, r, p, 'A'.repeat(22), 'A'.repeat(43)].join('$');
  }

  /** The same text may be typed as different characters (NFKC). */
  private derive(password: string, salt: Buffer, cost: typeof COST, client: string): Promise<Buffer> {
    const options = { ...cost, maxmem: MAX_MEMORY };
    return this.limit.run(client, () => derive(password.normalize('NFKC'), salt, BYTES, options));
  }
}
