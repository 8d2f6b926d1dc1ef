import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, LessThan, Repository } from 'typeorm';
import type { IdempotentRequest } from '../common/idempotent-request';
import { newId } from '../common/ids';
import { type Page, PageQuery, readPage } from '../common/pagination';
import { Problem } from '../common/problem';
import { Config } from '../config';
import { CompiledQueries } from '../database/compiled-queries.service';
import { Idempotency, OPERATOR } from '../database/idempotency.service';
import { now } from '../database/time';
import { Transactions } from '../database/transactions';
import { ApiKeysService, type IssuedApiKey, type NewApiKey } from './api-keys.service';
import { MONTH } from './usage';
import { WorkspaceCodes } from './workspace-codes.service';
import { Workspace } from './workspace.entity';

type Settings = Pick<
  Workspace,
  'name' | 'session_limit' | 'primary_color' | 'logo_url' | 'allowed_origins' | 'require_customer_token'
>;
type NewWorkspace = Pick<Settings, 'name'> & Partial<Settings>;

/** Tenants, their branding and their limits. */
@Injectable()
export class WorkspacesService {
  private readonly readOne;

  constructor(
    @InjectRepository(Workspace) private readonly workspaces: Repository<Workspace>,
    private readonly apiKeys: ApiKeysService,
    private readonly codes: WorkspaceCodes,
    private readonly transactions: Transactions,
    private readonly idempotency: Idempotency,
    private readonly config: Config,
    queries: CompiledQueries,
  ) {
    this.readOne = queries.select<Workspace>(
      workspaces.createQueryBuilder('workspace').where('workspace.id = :id'),
      'workspace',
    );
  }

  /** A new workspace with its first API key; `api_key.key` can't be read again. */
  create(
    settings: NewWorkspace,
    idempotent?: IdempotentRequest,
  ): Promise<{ id: string; name: string; api_key: { id: string; key: string } }> {
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
    const write = async (manager: EntityManager) => {
      await manager.insert(Workspace, workspace);
      await this.codes.assign(workspace.id, manager);
      const { id, key } = await this.apiKeys.issue(workspace.id, { name: 'First key' }, manager);
      return { id: workspace.id, name: workspace.name, api_key: { id, key } };
    };
    return idempotent ? this.idempotency.run(OPERATOR, idempotent, write) : this.transactions.run(write);
  }

  list(page: PageQuery): Promise<Page<Workspace>> {
    return readPage(page, (before, take) =>
      this.workspaces.find({ where: { id: LessThan(before) }, order: { id: 'DESC' }, take }),
    );
  }

  async get(workspaceId: string): Promise<Workspace> {
    const [workspace] = await this.readOne({ id: workspaceId });
    if (!workspace) throw new Problem('not_found');
    return workspace;
  }

  async update(workspaceId: string, changes: Partial<Settings>): Promise<void> {
    const { affected } = await this.workspaces.update({ id: workspaceId }, { ...changes, updated_at: now });
    if (!affected) throw new Problem('not_found');
  }

  /** The operator issues a key. */
  async issueApiKey(workspaceId: string, key: NewApiKey, idempotent?: IdempotentRequest): Promise<IssuedApiKey> {
    await this.get(workspaceId);
    const issue = (manager?: EntityManager) => this.apiKeys.issue(workspaceId, key, manager);
    return idempotent ? this.idempotency.run(OPERATOR, idempotent, issue) : issue();
  }
}
