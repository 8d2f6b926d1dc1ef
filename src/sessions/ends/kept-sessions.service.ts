import { Injectable } from '@nestjs/common';
import { Problem } from '../../platform/api/problems/problem';
import { statement } from '../../platform/database/transaction/statement';
import { NOW } from '../../platform/database/time';
import type { Work } from '../../tenancy/work/work';

/**
 * The newest session that a customer ended as `contacted` before a time; one whose token named the customer comes
 * before others. A time may have no milliseconds. It is locked, so that it is not deleted while it is counted.
 */
const FIND = statement(
  `SELECT id FROM flow_sessions
  WHERE workspace_id = :workspace AND customer_id = :customer AND status = 'contacted'
    AND date_trunc('second', ended_at) <= :at::timestamptz
  ORDER BY customer_verified DESC, id DESC LIMIT 1 FOR NO KEY UPDATE`,
);

const KEEP = statement(
  `UPDATE flow_sessions SET status = 'saved', ended_at = least(greatest(:at::timestamptz, ended_at), ${NOW}), kept_at = ${NOW}
  WHERE workspace_id = :workspace AND id = :session`,
);

/** Sessions whose customers accepted an offer that is no save, and have decided to stay since. */
@Injectable()
export class KeptSessions {
  private readonly counts: CountsSessions[] = [];

  add(counts: CountsSessions): void {
    this.counts.push(counts);
  }

  /**
   * Makes the newest session that a customer ended as `contacted` before a time a saved one, as of that time. Throws a
   * 409 if there is none.
   */
  async keep(work: Work, customer: string, at: Date): Promise<void> {
    const session = await work.row<{ id: string }>(FIND, { customer, at });
    if (!session) throw new Problem('not_contacted');
    const { id } = session;
    for (const counts of this.counts) await counts.count(work, id, -1);
    await work.write(KEEP, { session: id, at });
    for (const counts of this.counts) await counts.count(work, id, 1);
    await work.emit({ type: 'session.saved', flow_session_id: id });
  }
}

/** Something that has counted sessions which are over. It registers itself: list it in `providers` of its module. */
@Injectable()
export abstract class CountsSessions {
  constructor(kept: KeptSessions) {
    kept.add(this);
  }

  /** Takes a session as it is out of the counts (-1), or adds it (1). The caller changes it in between. */
  abstract count(work: Work, sessionId: string, sign: 1 | -1): Promise<void>;
}
