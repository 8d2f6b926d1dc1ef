import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository } from 'typeorm';
import { newCode } from '../common/ids';
import { Cache, type CacheRegion } from '../common/cache';
import { WorkspaceCode } from './workspace-code.entity';

/** Which code stands for which workspace in session_ids. Codes never change, so they are remembered in the process. */
@Injectable()
export class WorkspaceCodes {
  private readonly byWorkspace: CacheRegion<WorkspaceCode>;
  private readonly byCode: CacheRegion<WorkspaceCode>;

  constructor(
    @InjectRepository(WorkspaceCode) private readonly directory: Repository<WorkspaceCode>,
    cache: Cache,
  ) {
    this.byWorkspace = cache.region('code of workspace');
    this.byCode = cache.region('workspace of code');
  }

  /** The code of a workspace that exists. */
  async codeOf(workspaceId: string): Promise<string> {
    const known = this.byWorkspace.get(workspaceId);
    if (known) return known.code;
    const found = await this.directory.findOneByOrFail({ workspace_id: workspaceId });
    this.byWorkspace.set(workspaceId, found);
    return found.code;
  }

  /** The workspace of a code; undefined when none has it. */
  async workspaceOf(code: string): Promise<string | undefined> {
    const known = this.byCode.get(code);
    if (known) return known.workspace_id;
    const found = await this.directory.findOneBy({ code });
    if (found) this.byCode.set(code, found);
    return found?.workspace_id;
  }

  /** Gives a new workspace a code that no other has. */
  async assign(workspaceId: string, manager: EntityManager): Promise<void> {
    const sql = `INSERT INTO workspace_codes (code, workspace_id) VALUES ($1, $2) ON CONFLICT (code) DO NOTHING RETURNING code`;
    let inserted: unknown[] = [];
    while (inserted.length === 0) inserted = await manager.query(sql, [newCode(), workspaceId]);
  }
}
