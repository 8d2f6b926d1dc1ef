import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { randomUUID } from 'node:crypto';
import { Cache } from '../../platform/common/cache';
import { prepared, type Statement, statement } from '../../platform/database/transaction/statement';
import type { Work } from '../../tenancy/work/work';
import { WorkspaceCode } from './workspace-code.entity';

/** What is counted: archived ones, too, and the versions of all flows together, and those of all offers. */
const THINGS = ['offers', 'flows', 'versions', 'offer_versions'] as const;
type Thing = (typeof THINGS)[number];

/** A number for each. */
const each = <T>(value: T) => Object.fromEntries(THINGS.map((thing) => [thing, value])) as Record<Thing, T>;

const LOCK = prepared(
  'workspace-code-lock',
  'SELECT code FROM workspace_codes WHERE workspace_id = :workspace FOR NO KEY UPDATE',
);

const COUNT_MORE = prepared(
  'workspace-count-more',
  `UPDATE workspace_codes SET ${THINGS.map((thing) => `${thing} = ${thing} + :${thing}`).join(', ')}
  WHERE workspace_id = :workspace RETURNING ${THINGS.join(', ')}`,
);

const SET_COUNTS = statement(
  `UPDATE workspace_codes SET ${THINGS.map((thing) => `${thing} = COALESCE(:${thing}, ${thing})`).join(', ')}
  WHERE workspace_id = :workspace`,
);

/**
 * An older version of the service creates without counting. So what a workspace has is counted anew once in so many
 * creations.
 */
const ANEW_EVERY = 100;

const ASSIGN = statement(
  `INSERT INTO workspace_codes (code, workspace_id, ${THINGS.join(', ')}) VALUES (:code, :workspace, ${THINGS.map(() => 0).join(', ')})
  ON CONFLICT (code) DO NOTHING`,
);

/**
 * The codes of workspaces in session_ids, and what is counted beside them. Codes never change, so they are remembered
 * in the process.
 */
@Injectable()
export class WorkspaceCodes {
  constructor(
    @InjectRepository(WorkspaceCode) private readonly directory: Repository<WorkspaceCode>,
    private readonly cache: Cache,
  ) {}

  /** The workspace of a code; undefined when none has it. */
  async workspaceOf(code: string): Promise<string | undefined> {
    const found = await this.cache.getOrRead('workspace of code', code, () => this.directory.findOneBy({ code }));
    return found?.workspace_id;
  }

  /**
   * Lets transactions that create something in a workspace wait for each other, so that each counts what the others
   * created. Nothing else locks this row: starts of sessions go on. Returns the code.
   */
  async lock(work: Work): Promise<string> {
    return (await work.row<Pick<WorkspaceCode, 'code'>>(LOCK))!.code;
  }

  /**
   * Counts what is about to be created in a workspace, and returns how many it has then. Waits for other creations, as
   * `lock` does, and is taken back with its transaction.
   *
   * @param anew reads how many there are
   */
  async count<T extends Thing>(work: Work, more: Record<T, number>, anew: Statement): Promise<Record<T, number>> {
    const things = Object.keys(more) as T[];
    const counts = (await work.row<Record<T, number>>(COUNT_MORE, { ...each(0), ...more }))!;
    // Nothing else than what was never counted is null.
    if (things.every((thing) => counts[thing] !== null && counts[thing] % ANEW_EVERY > 0)) return counts;
    const there = (await work.row<Record<T, number>>(anew))!;
    const exact = Object.fromEntries(things.map((thing) => [thing, there[thing] + more[thing]])) as Record<T, number>;
    await work.write(SET_COUNTS, { ...each(null), ...exact });
    return exact;
  }

  /** Gives a new workspace a code that no other has. */
  async assign(work: Work): Promise<void> {
    while ((await work.write(ASSIGN, { code: newCode() })) === 0);
  }
}

/** A new code for a workspace. It may be taken: see `WorkspaceCodes.assign`. */
const newCode = (): string => randomUUID().slice(0, 8);
