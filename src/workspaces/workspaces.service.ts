import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository } from 'typeorm';
import { type IfMatch, requireMatch } from '../common/etag';
import type { IdempotentRequest } from '../common/idempotent-request';
import { newId } from '../common/ids';
import { type Page, PageQuery, readNewest } from '../common/pagination';
import { Problem } from '../common/problem';
import { Config } from '../config';
import { Idempotency, OPERATOR } from '../database/idempotency.service';
import { now } from '../database/time';
import { Transactions } from '../database/transactions';
import { type Actor, THE_SERVICE } from './actor';
import { ApiKeysService } from './api-keys.service';
import { ChangeLog, fieldsIn } from './changes/change-log.service';
import type { CreateApiKeyDto, CreatedApiKeyDto } from './dto/api-key.dto';
import { CreatedWorkspaceDto, CreateWorkspaceDto, UpdateWorkspaceDto, WorkspaceDto } from './dto/workspace.dto';
import { MONTH } from './usage';
import { WorkspaceCodes } from './workspace-codes.service';
import { Workspace } from './workspace.entity';

/** Tenants, their branding and their limits. */
@Injectable()
export class WorkspacesService {
  constructor(
    @InjectRepository(Workspace) private readonly workspaces: Repository<Workspace>,
    private readonly apiKeys: ApiKeysService,
    private readonly codes: WorkspaceCodes,
    private readonly changes: ChangeLog,
    private readonly transactions: Transactions,
    private readonly idempotency: Idempotency,
    private readonly config: Config,
  ) {}

  /** A new workspace with its first API key; `api_key.key` can't be read again. */
  create(settings: CreateWorkspaceDto, actor: Actor, idempotent?: IdempotentRequest): Promise<CreatedWorkspaceDto> {
    return this.idempotency.run(OPERATOR, idempotent, async (manager) => {
      const { id: workspaceId, name } = await this.insert(settings, actor, manager);
      const { id, key } = await this.apiKeys.issue(workspaceId, { name: 'First key' }, actor, manager);
      return { id: workspaceId, name, api_key: { id, key } };
    });
  }

  /** The id of the oldest workspace, as a part of other work. If there is none, of a new one. */
  async first(name: string, manager: EntityManager): Promise<string> {
    const [oldest] = await manager.find(Workspace, { select: { id: true }, order: { id: 'ASC' }, take: 1 });
    return (oldest ?? (await this.insert({ name }, THE_SERVICE, manager))).id;
  }

  private async insert(settings: CreateWorkspaceDto, actor: Actor, manager: EntityManager) {
    const workspace = {
      id: newId(),
      session_limit: this.config.defaultSessionLimit,
      primary_color: '#4f46e5',
      logo_url: '',
      allowed_origins: [],
      require_customer_token: false,
      ...settings,
      usage_period: () => MONTH,
      sessions_used: 0,
      starts_are_events: false,
      created_at: now,
      updated_at: now,
    };
    await manager.insert(Workspace, workspace);
    await this.codes.assign(workspace.id, manager);
    const subject = subjectOf(workspace);
    await this.changes.append(workspace.id, { actor, action: 'workspace.created', subject }, manager);
    return workspace;
  }

  list(page: PageQuery): Promise<Page<Workspace>> {
    return readNewest(this.workspaces, {}, page);
  }

  async get(workspaceId: string): Promise<Workspace> {
    const workspace = await this.workspaces.findOneBy({ id: workspaceId });
    if (!workspace) throw new Problem('not_found');
    return workspace;
  }

  update(workspaceId: string, changes: UpdateWorkspaceDto, actor: Actor, ifMatch?: IfMatch): Promise<void> {
    return this.transactions.run((manager) => this.updateIn(workspaceId, changes, { actor, manager, ifMatch }));
  }

  /** Changes a workspace in a transaction of other work. Starts of sessions wait until it ends. */
  async updateIn(
    workspaceId: string,
    changes: UpdateWorkspaceDto,
    { actor, manager, ifMatch }: { actor: Actor; manager: EntityManager; ifMatch?: IfMatch },
  ): Promise<void> {
    // Starts wait for this row, so it is locked only for those who ask, and changed last.
    const workspace = ifMatch ? await this.lock(workspaceId, manager) : await this.get(workspaceId);
    if (ifMatch) requireMatch(ifMatch, workspace);
    const subject = subjectOf({ id: workspaceId, name: changes.name ?? workspace.name });
    const details = { fields: fieldsIn(changes) };
    await this.changes.append(workspaceId, { actor, action: 'workspace.changed', subject, details }, manager);
    await manager.update(Workspace, { id: workspaceId }, { ...changes, updated_at: now });
  }

  /** A workspace as it is shown, which nobody else changes until the transaction ends. */
  private async lock(workspaceId: string, manager: EntityManager): Promise<WorkspaceDto> {
    const lock = { mode: 'for_no_key_update' } as const;
    const workspace = await manager.findOne(Workspace, { where: { id: workspaceId }, lock });
    if (!workspace) throw new Problem('not_found');
    return WorkspaceDto.of(workspace);
  }

  /** The operator issues a key. */
  async issueApiKey(
    workspaceId: string,
    key: CreateApiKeyDto,
    actor: Actor,
    idempotent?: IdempotentRequest,
  ): Promise<CreatedApiKeyDto> {
    await this.get(workspaceId);
    return this.idempotency.run(OPERATOR, idempotent, (manager) =>
      this.apiKeys.issue(workspaceId, key, actor, manager),
    );
  }
}

function subjectOf({ id, name }: Pick<Workspace, 'id' | 'name'>) {
  return { type: 'workspace' as const, id, name };
}
