import { Injectable } from '@nestjs/common';
import { Problem } from '../../platform/api/problems/problem';
import { ManagementLimits } from '../../platform/database/queue/management-limits.service';
import type { Tenant } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import type { Reader } from '../../tenancy/work/work';
import type { StatsQuery } from '../dto/stats.dto';
import { EVERY_SESSION, type SessionFilter } from '../../sessions/filter/session-filter';
import { readSegment } from '../../sessions/filter/segment';
import { IS_CUSTOMERS } from '../../sessions/session-source';

/** How long counting may take. */
const MOST_MS = 30_000;
/** A little more than the wait for a turn and counting take at most. */
export const COUNTING_DEADLINE_MS = 43_000;

/** Counts while the client waits, for 30 s at most. When the signal `client` aborts, nobody waits any more. */
@Injectable()
export class Counting {
  constructor(
    private readonly units: UnitsOfWork,
    private readonly limits: ManagementLimits,
  ) {}

  /** Everything that is read is of one moment. */
  run<T>(tenant: Tenant, client: AbortSignal, count: (reader: Reader) => Promise<T>): Promise<T> {
    return this.limits.statistics.run(tenant.workspaceId, async () => {
      const late = AbortSignal.timeout(MOST_MS);
      const read = async (reader: Reader) => {
        // The counted rows may be most of a table: see `useIndexes`. A single statement is ended by the server, too.
        await reader.manager.query(
          `SELECT set_config('enable_seqscan', 'on', true), set_config('statement_timeout', '${MOST_MS}', true)`,
        );
        return count(reader);
      };
      try {
        return await this.units.longSnapshot(tenant, AbortSignal.any([client, late]), MOST_MS + 1000, read);
      } catch (error) {
        // Nobody reads it.
        if (client.aborted) throw new Problem('service_unavailable');
        throw late.aborted ? new Problem('too_many_sessions') : error;
      }
    });
  }
}

/** Which sessions count, if not all that customers began. */
export async function sessionsThatCount(
  { source, ...segment }: Omit<StatsQuery, 'from' | 'to'>,
  reader: Reader,
): Promise<SessionFilter | undefined> {
  const filter = await readSegment(segment, reader);
  if (source === 'all') return filter ?? EVERY_SESSION;
  return filter && { ...filter, condition: `${filter.condition} AND ${IS_CUSTOMERS}` };
}
