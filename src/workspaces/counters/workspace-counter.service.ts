import { Injectable } from '@nestjs/common';
import { Problem } from '../../platform/api/problems/problem';
import { prepared, type Statement, statement } from '../../platform/database/transaction/statement';
import type { Work } from '../../tenancy/work/work';
import type { WorkspaceCode } from './workspace-code.entity';

/** What is counted: archived ones, too, and the versions of all flows together, and those of all offers. */
export const COUNTED = ['offers', 'flows', 'versions', 'offer_versions'] as const;
type Thing = (typeof COUNTED)[number];

/** A number for each. */
const each = <T>(value: T) => Object.fromEntries(COUNTED.map((thing) => [thing, value])) as Record<Thing, T>;

const LOCK = prepared(
  'workspace-code-lock',
  'SELECT code FROM workspace_codes WHERE workspace_id = :workspace FOR NO KEY UPDATE',
);

const COUNT_MORE = prepared(
  'workspace-count-more',
  `UPDATE workspace_codes SET ${COUNTED.map((thing) => `${thing} = ${thing} + :${thing}`).join(', ')}
  WHERE workspace_id = :workspace RETURNING ${COUNTED.join(', ')}`,
);

const SET_COUNTS = statement(
  `UPDATE workspace_codes SET ${COUNTED.map((thing) => `${thing} = COALESCE(:${thing}, ${thing})`).join(', ')}
  WHERE workspace_id = :workspace`,
);

/**
 * An older version of the service creates without counting. So what a workspace has is counted anew once in so many
 * creations.
 */
const ANEW_EVERY = 100;

/** Counts what a workspace has, in the row of its code. */
@Injectable()
export class WorkspaceCounter {
  /**
   * Lets transactions that create something in a workspace wait for each other, so that each counts what the others
   * created. Nothing else locks this row: starts of sessions go on. Returns the code.
   */
  async lock(work: Work): Promise<string> {
    const found = await work.row<Pick<WorkspaceCode, 'code'>>(LOCK);
    // A test workspace was deleted meanwhile.
    if (!found) throw new Problem('not_found');
    return found.code;
  }

  /**
   * Counts what is about to be created in a workspace, and returns how many it has then. Waits for other creations, as
   * `lock` does, and is taken back with its transaction.
   *
   * @param anew reads how many there are
   */
  async count<T extends Thing>(work: Work, more: Record<T, number>, anew: Statement): Promise<Record<T, number>> {
    const things = Object.keys(more) as T[];
    const counts = await work.row<Record<T, number>>(COUNT_MORE, { ...each(0), ...more });
    if (!counts) throw new Problem('not_found');
    // A count is null only if it was never made.
    if (things.every((thing) => counts[thing] !== null && counts[thing] % ANEW_EVERY > 0)) return counts;
    const there = (await work.row<Record<T, number>>(anew))!;
    const exact = Object.fromEntries(things.map((thing) => [thing, there[thing] + more[thing]])) as Record<T, number>;
    await work.write(SET_COUNTS, { ...each(null), ...exact });
    return exact;
  }
}
