import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository } from 'typeorm';
import { newCode } from '../common/ids';
import { Cache } from '../common/cache';
import { WorkspaceCode } from './workspace-code.entity';

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
  async lock(workspaceId: string, manager: EntityManager): Promise<string> {
    const sql = 'SELECT code FROM workspace_codes WHERE workspace_id = $1 FOR NO KEY UPDATE';
    const [{ code }] = await manager.query<Pick<WorkspaceCode, 'code'>[]>(sql, [workspaceId]);
    return code;
  }

  /** Gives a new workspace a code that no other has. */
  async assign(workspaceId: string, manager: EntityManager): Promise<void> {
    const sql = `INSERT INTO workspace_codes (code, workspace_id) VALUES ($1, $2) ON CONFLICT (code) DO NOTHING RETURNING code`;
    let inserted: unknown[] = [];
    while (inserted.length === 0) inserted = await manager.query(sql, [newCode(), workspaceId]);
  }
}
