import { Injectable } from '@nestjs/common';
import { Config } from '../../../settings/config';
import { ConcurrencyLimit } from './concurrency-limit';

/**
 * So many short reads of a workspace keep the process busy. With more, starts of others would wait behind all of them.
 */
const SHORT_READS = 4;
const BILLING_READS = 20;

/**
 * Limits the connections of the management interface, so that starts of sessions have the others: `long` and `short`
 * use a quarter of the pool each, `statistics` and `images` an eighth, rounded up.
 */
@Injectable()
export class ManagementLimits {
  /**
   * For work that may take long, or one part of it: lists of sessions, long pages, erasing. The key is the workspace.
   */
  readonly long: ConcurrencyLimit;
  /** Statistics, one at a time of a workspace, which is the key. */
  readonly statistics: ConcurrencyLimit;
  /**
   * For requests that read or write a few rows, and may wait for a lock of their workspace. The key is the workspace.
   */
  readonly short: ConcurrencyLimit;
  /** Reads of one thing or a short page, which wait for no lock. The key is the workspace. */
  readonly reads: ConcurrencyLimit;
  /** Reads that ask a billing system, which may hang; no connection is held. The key is the workspace. */
  readonly billing: ConcurrencyLimit;
  /** Reads of pictures, which anybody may ask for. The key is the picture. */
  readonly images: ConcurrencyLimit;

  constructor({ databasePoolSize }: Config) {
    const quarter = Math.ceil(databasePoolSize / 4);
    this.long = new ConcurrencyLimit(quarter, { rests: true });
    const eighth = Math.ceil(databasePoolSize / 8);
    this.statistics = new ConcurrencyLimit(eighth, { ofKey: 1, waitMs: 10_000 });
    this.short = new ConcurrencyLimit(quarter);
    this.reads = new ConcurrencyLimit(databasePoolSize, { ofKey: SHORT_READS, rests: true });
    this.billing = new ConcurrencyLimit(BILLING_READS, { ofKey: 2 });
    this.images = new ConcurrencyLimit(eighth, { ofKey: 1 });
  }
}
