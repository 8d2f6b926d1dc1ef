import { Injectable } from '@nestjs/common';
import { Problem } from '../../platform/api/problems/problem';
import { type Count, RateLimits } from '../../platform/http/limits/rate-limits';
import { hashOf } from '../../workspaces/api-keys/api-key-secret';

const WINDOW_SECONDS = 15 * 60;
const FAILURES_OF_ADDRESS = 50;
const FAILURES_OF_ACCOUNT = 10;

/**
 * Slows down guessing: an address may fail 50 times in 15 minutes, and 10 times at one account, whether it exists or
 * not.
 */
@Injectable()
export class SignInThrottle {
  private readonly ofAddress: Count;
  private readonly ofAccount: Count;

  constructor(limits: RateLimits) {
    this.ofAddress = limits.counting('sign-in-address', WINDOW_SECONDS);
    this.ofAccount = limits.counting('sign-in-account', WINDOW_SECONDS);
  }

  /**
   * Runs an attempt, unless there were too many failures: then throws a 429. It counts as a failure until it has ended,
   * so that many at once can't all pass. An attempt that throws, such as for want of room, is no failure. An attempt
   * that the address may not make does not count against the account.
   */
  async run<T>(email: string, address: string, attempt: () => Promise<T | undefined>): Promise<T | undefined> {
    const account = hashOf(email).toString('base64url');
    await admit(this.ofAddress, address, FAILURES_OF_ADDRESS);
    await admit(this.ofAccount, account, FAILURES_OF_ACCOUNT);
    let isWrong = false;
    try {
      const result = await attempt();
      isWrong = result === undefined;
      return result;
    } finally {
      if (!isWrong) await Promise.all([this.ofAddress(address, -1), this.ofAccount(account, -1)]);
    }
  }
}

async function admit(count: Count, client: string, most: number): Promise<void> {
  const { current, ttl } = await count(client, 1);
  if (current > most) throw new Problem('too_many_requests').after(Math.max(1, Math.ceil(ttl / 1000)));
}
