import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { randomUUID } from 'node:crypto';
import { Cache } from '../../platform/common/cache';
import { statement } from '../../platform/database/transaction/statement';
import type { Work } from '../../tenancy/work/work';
import { WorkspaceCode } from './workspace-code.entity';
import { COUNTED } from './workspace-counter.service';

const ASSIGN = statement(
  `INSERT INTO workspace_codes (code, workspace_id, ${COUNTED.join(', ')}) VALUES (:code, :workspace, ${COUNTED.map(() => 0).join(', ')})
  ON CONFLICT (code) DO NOTHING`,
);

/**
 * The codes of workspaces in session_ids. They never change, so they are remembered in the process.
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

  /** Gives a new workspace a code that no other has. */
  async assign(work: Work): Promise<void> {
    while ((await work.write(ASSIGN, { code: newCode() })) === 0);
  }
}

/** A new code for a workspace. It may be taken: see `WorkspaceCodes.assign`. */
const newCode = (): string => randomUUID().slice(0, 8);
