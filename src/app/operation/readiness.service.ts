import { Injectable } from '@nestjs/common';
import { Problem } from '../../platform/api/problems/problem';
import { DatabaseHealth } from '../../platform/database/connection/database-health.service';
import { ReadyDto } from './dto/health.dto';
import { DrainService } from './drain.service';

/** Decides whether this process should get requests. */
@Injectable()
export class ReadinessService {
  constructor(
    private readonly drain: DrainService,
    private readonly database: DatabaseHealth,
  ) {}

  /** Throws a `not_ready` Problem with the reason if it should not. */
  async check(): Promise<ReadyDto> {
    if (this.drain.hasBegun) throw new Problem('not_ready', {}, 'This process is stopping.');
    const failure = await this.database.failure();
    if (failure) throw new Problem('not_ready', {}, failure);
    return { status: 'ready' };
  }
}
