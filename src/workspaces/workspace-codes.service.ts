import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { newCode } from '../platform/api/ids';
import { Cache } from '../platform/common/cache';
import { prepared, statement } from '../platform/database/statement';
import type { Work } from '../tenancy/work';
import { WorkspaceCode } from './workspace-code.entity';

const LOCK = prepared(
  'workspace-code-lock',
  'SELECT code FROM workspace_codes WHERE workspace_id = :workspace FOR NO KEY UPDATE',
);

const COUNT_MORE = prepared(
  'workspace-count-more',
  `UPDATE workspace_codes SET offers = offers + :offers, flows = flows + :flows, versions = versions + :versions
  WHERE workspace_id = :workspace RETURNING offers, flows, versions`,
);

/** Versions are numbered from 1 and never deleted, so the current one is how many a flow has. */
const COUNT_ANEW = statement(
  `UPDATE workspace_codes SET offers = :offers + (SELECT count(*) FROM offers WHERE workspace_id = :workspace),
    flows = :flows + (SELECT count(*) FROM flows WHERE workspace_id = :workspace),
    versions = :versions + (SELECT COALESCE(sum(current_version), 0) FROM flows WHERE workspace_id = :workspace)
  WHERE workspace_id = :workspace RETURNING offers, flows, versions`,
);

/** An older version of the service creates without counting. So what a workspace has is counted anew once in so many creations. */
const ANEW_EVERY = 100;

const ASSIGN = statement(
  'INSERT INTO workspace_codes (code, workspace_id, offers, flows, versions) VALUES (:code, :workspace, 0, 0, 0) ON CONFLICT (code) DO NOTHING',
);

/** How many offers, flows and versions of flows a workspace has, archived ones included. */
type Counts = { [Thing in 'offers' | 'flows' | 'versions']: number };

/** The codes of workspaces in session_ids, and what is counted beside them. Codes never change, so they are remembered in the process. */
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
   * Lets transactions that create something in a workspace wait for each other, so that each counts what the others created.
   * Nothing else locks this row: starts of sessions go on. Returns the code.
   */
  async lock(work: Work): Promise<string> {
    return (await work.row<Pick<WorkspaceCode, 'code'>>(LOCK))!.code;
  }

  /**
   * Counts what is about to be created in a workspace, and returns how many it has then. Waits for other creations, as `lock` does,
   * and is taken back with its transaction.
   */
  async count(work: Work, { offers = 0, flows = 0, versions = 0 }: Partial<Counts>): Promise<Counts> {
    const more = { offers, flows, versions };
    const counts = (await work.row<Counts | { offers: null }>(COUNT_MORE, more))!;
    const isCounted = counts.offers !== null && (counts.offers + counts.flows + counts.versions) % ANEW_EVERY > 0;
    return isCounted ? counts : (await work.row<Counts>(COUNT_ANEW, more))!;
  }

  /** Gives a new workspace a code that no other has. */
  async assign(work: Work): Promise<void> {
    while ((await work.write(ASSIGN, { code: newCode() })) === 0);
  }
}
