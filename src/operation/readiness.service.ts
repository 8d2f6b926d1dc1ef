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
    if (!(await this.database.answers())) throw new Problem('not_ready', {}, 'The database does not answer.');
    return { status: 'ready' };
  }
}
