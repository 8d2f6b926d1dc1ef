import { Injectable } from '@nestjs/common';
import { ConnectionPool } from '../../platform/database/connection/connection-pool';
import { bound, statement } from '../../platform/database/transaction/statement';
import { NOW } from '../../platform/database/time';
import { theServiceIn } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import type { Work } from '../../tenancy/work/work';
import type { Digest } from './member.entity';

/** The most mails of a turn. */
export const MOST_DUE = 100;

const UTC_NOW = `(${NOW} AT TIME ZONE 'UTC')`;

/** SQL for six o'clock (UTC) on the next Monday, or the next first of a month. */
const nextAfterNow = (digest: string): string => `CASE ${digest}
    WHEN 'weekly' THEN (date_trunc('week', ${UTC_NOW}) + interval '7 days 6 hours') AT TIME ZONE 'UTC'
    WHEN 'monthly' THEN (date_trunc('month', ${UTC_NOW}) + interval '1 month 6 hours') AT TIME ZONE 'UTC' END`;

const CHOOSE = statement(
  `UPDATE members SET digest = :digest, digest_due_at = ${nextAfterNow(':digest::text')}
  WHERE workspace_id = :workspace AND person_id = :person AND digest IS DISTINCT FROM :digest::text`,
);

const DUE = statement(
  `SELECT workspace_id, person_id FROM members WHERE digest_due_at <= ${NOW} ORDER BY digest_due_at LIMIT ${MOST_DUE}`,
);

/** The process that claims a mail has an hour to send it. If it dies, another process tries again after that hour. */
const CLAIM = statement(
  `UPDATE members SET digest_due_at = ${NOW} + interval '1 hour' FROM people
  WHERE workspace_id = :workspace AND person_id = :person AND digest_due_at <= ${NOW} AND people.id = members.person_id
  RETURNING digest, email`,
);

const SETTLE = statement(
  `UPDATE members SET digest_due_at = ${nextAfterNow('digest')} WHERE workspace_id = :workspace AND person_id = :person`,
);

/** A mail that is due. */
export interface DueDigest {
  workspace_id: string;
  person_id: string;
}

/** How often people get the report by mail, and when the next one is due. */
@Injectable()
export class DigestsService {
  constructor(
    private readonly units: UnitsOfWork,
    private readonly connections: ConnectionPool,
  ) {}

  /** The first mail is the next one after now. Choosing the same again changes nothing. */
  async choose(work: Work, person: string, digest: Digest | null): Promise<void> {
    await work.write(CHOOSE, { person, digest });
  }

  due(): Promise<DueDigest[]> {
    return this.connections.rows<DueDigest>(DUE);
  }

  /** Keeps others from sending it for an hour. Undefined if somebody else has it, or it is not wanted any more. */
  async claim(workspaceId: string, person: string): Promise<{ digest: Digest; email: string } | undefined> {
    const [claimed] = await this.connections.send<{ digest: Digest; email: string }>(
      bound(CLAIM, workspaceId, { person }),
    );
    return claimed;
  }

  /** The mail is sent, or refused for good: the next one is due in the next week or month. */
  async settle(workspaceId: string, person: string): Promise<void> {
    await this.units.run(theServiceIn(workspaceId), (work) => work.write(SETTLE, { person }));
  }
}
