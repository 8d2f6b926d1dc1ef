import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { readTime } from '../time';

/** How long the process counts on from one reading. */
const READING_MS = 60_000;

/**
 * The time of the database as a value, for what is decided outside of it. The clock is read once a minute; in between,
 * the process counts the time that passes (`performance.now()`), which nobody can set. It is ahead by the time that the
 * reading took, and behind by the time that the machine was suspended since.
 */
@Injectable()
export class DatabaseClock {
  private reading?: { time: number; at: number };
  private pending?: Promise<{ time: number; at: number }>;

  constructor(private readonly dataSource: DataSource) {}

  async time(): Promise<Date> {
    const isFresh = this.reading && performance.now() - this.reading.at < READING_MS;
    const { time, at } = isFresh ? this.reading! : await this.read();
    return new Date(time + performance.now() - at);
  }

  /** Requests that come meanwhile share the reading. */
  private read(): Promise<{ time: number; at: number }> {
    this.pending ??= this.readNow().finally(() => (this.pending = undefined));
    return this.pending;
  }

  private async readNow(): Promise<{ time: number; at: number }> {
    const at = performance.now();
    const time = await readTime(this.dataSource.manager);
    return (this.reading = { time: time.getTime(), at });
  }
}
