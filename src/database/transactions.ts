import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { isRetryable } from '../common/postgres-errors';

const MAX_ATTEMPTS = 4;

/** The one way to a transaction. */
@Injectable()
export class Transactions {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs `work` in a transaction and answers what it answers. One that Postgres gave up for the sake of another
   * (deadlock, serialisation failure) is tried again, up to 3 times, after a random pause that doubles.
   */
  async run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.dataSource.transaction(work);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error;
        await pause(Math.random() * 10 * 2 ** attempt);
      }
    }
  }
}
