import { Injectable } from '@nestjs/common';
import { Problem } from '../common/problem';
import { DatabaseHealth } from '../database/database-health.service';
import { ReadyDto } from './dto/health.dto';
import { DrainService } from './drain.service';

/** Says whether this process should be sent requests. */
@Injectable()
export class ReadinessService {
  constructor(
    private readonly drain: DrainService,
    private readonly database: DatabaseHealth,
  ) {}

  /** Throws a Problem with the reason when it should not. */
  async check(): Promise<ReadyDto> {
    if (this.drain.hasBegun) throw new Problem('not_ready', {}, 'This process is stopping.');
    const trouble = await this.database.trouble();
    if (trouble) throw new Problem('not_ready', {}, trouble);
    return { status: 'ready' };
  }
}
