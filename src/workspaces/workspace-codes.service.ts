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

const ASSIGN = statement(
  'INSERT INTO workspace_codes (code, workspace_id) VALUES (:code, :workspace) ON CONFLICT (code) DO NOTHING',
);

/** The codes of workspaces in session_ids. Codes never change, so they are remembered in the process. */
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

  /** Gives a new workspace a code that no other has. */
  async assign(work: Work): Promise<void> {
    while ((await work.write(ASSIGN, { code: newCode() })) === 0);
  }
}
