import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOneOptions, Not, Repository } from 'typeorm';
import { newId } from '../platform/api/ids';
import { type Page, PageQuery, readNewest } from '../platform/api/paging/pagination';
import { Problem } from '../platform/api/problems/problem';
import { requireRoom } from '../platform/api/room';
import { Config } from '../settings/config';
import { now } from '../platform/database/time';
import { statement } from '../platform/database/transaction/statement';
import type { Tenant } from '../tenancy/work/tenant';
import { UnitsOfWork } from '../tenancy/work/units-of-work.service';
import type { Work } from '../tenancy/work/work';
import { ApiKeysService } from './api-keys/api-keys.service';
import { changedIn } from '../tenancy/log/change-log';
import type { CreateApiKeyDto, CreatedApiKeyDto } from './dto/api-key.dto';
import {
  CreatedWorkspaceDto,
  CreateWorkspaceDto,
  MAX_NAME,
  UpdateWorkspaceDto,
  WorkspaceDto,
} from './dto/workspace.dto';
import { MONTH } from './counters/usage';
import { WorkspaceCodes } from './counters/workspace-codes.service';
import { WorkspaceCounter } from './counters/workspace-counter.service';
import { OWN_CHARACTERS, ownCharacters } from './test-slugs';
import { NO_BRAND, PRIMARY_COLOR } from './brand';
import { Workspace } from './workspace.entity';

/** The most test workspaces beside a live one. */
const MAX_TEST_WORKSPACES = 10;

const WITH_OWN_CHARACTERS = statement(
  `SELECT FROM workspaces WHERE test AND right(id::text, ${OWN_CHARACTERS}) = :own LIMIT 1`,
);

/** Tenants, their branding and their limits. */
@Injectable()
export class WorkspacesService {
  constructor(
    @InjectRepository(Workspace) private readonly workspaces: Repository<Workspace>,
    private readonly units: UnitsOfWork,
    private readonly apiKeys: ApiKeysService,
    private readonly codes: WorkspaceCodes,
    private readonly counter: WorkspaceCounter,
    private readonly config: Config,
  ) {}

  /** A new workspace with its first API key; `api_key.key` can't be read again. */
  create(operator: Tenant, settings: CreateWorkspaceDto): Promise<CreatedWorkspaceDto> {
    return this.units.run(operator, async (work) => {
      const { id: workspaceId, name } = await this.insert(work, settings);
      const { id, key } = await this.apiKeys.issue(work.within(workspaceId), { name: 'First key' });
      return { id: workspaceId, name, api_key: { id, key } };
    });
  }

  /** The id of the oldest live workspace, which gets the name if one is given. If there is none, of a new one. */
  async first(work: Work, name?: string): Promise<string> {
    const oldest = await this.oldest(work.manager);
    if (!oldest) return (await this.insert(work, { name: name ?? 'My workspace' })).id;
    const { id } = oldest;
    if (name !== undefined && name !== oldest.name) {
      const own = work.within(id);
      await work.manager.update(Workspace, { id }, { name, updated_at: now });
      own.log({ action: 'workspace.changed', subject: { type: 'workspace', id, name }, details: { fields: ['name'] } });
    }
    return id;
  }

  /** The oldest live workspace, if there is any. */
  async oldest(manager = this.workspaces.manager): Promise<Workspace | undefined> {
    return (await manager.find(Workspace, { where: { test: false }, order: { id: 'ASC' }, take: 1 })).at(0);
  }

  /** A new test workspace beside a live one, within the transaction of its owner. Throws a 409 if it has too many. */
  async createTest(work: Work): Promise<Pick<Workspace, 'id' | 'name'>> {
    // Starts of sessions wait for the row of the workspace, so that is not locked.
    await this.counter.lock(work);
    const live = await this.of(work);
    if (live.test) throw new Problem('not_a_live_workspace');
    const others = await work.manager.countBy(Workspace, { live_workspace_id: live.id });
    requireRoom(others, MAX_TEST_WORKSPACES, 'test_workspace_limit_reached');
    const ending = others === 0 ? ' (test)' : ` (test ${others + 1})`;
    const name = live.name.slice(0, MAX_NAME - ending.length) + ending;
    return this.insert(work, { name, test: true }, live.id);
  }

  private async insert(work: Work, settings: CreateWorkspaceDto, live_workspace_id: string | null = null) {
    const { test = false } = settings;
    const workspace = {
      id: test ? await this.newTestId(work) : newId(),
      test,
      live_workspace_id,
      session_limit: test ? null : this.config.defaultSessionLimit,
      primary_color: PRIMARY_COLOR,
      logo_url: '',
      allowed_origins: [],
      jurisdictions: [],
      image_hosts: [],
      require_customer_token: false,
      offer_limit: null,
      ending_notice_days: 3,
      ...settings,
      brand: { ...NO_BRAND, ...settings.brand },
      usage_period: () => MONTH,
      sessions_used: 0,
      starts_are_events: false,
      created_at: now,
      updated_at: now,
    };
    await work.manager.insert(Workspace, workspace);
    const own = work.within(workspace.id);
    await this.codes.assign(own);
    own.log({ action: 'workspace.created', subject: subjectOf(workspace) });
    return workspace;
  }

  /** Its slugs begin with a part of it, which no other test workspace has. */
  private async newTestId(work: Work): Promise<string> {
    for (;;) {
      const id = newId();
      const [other] = await work.acrossTenants(WITH_OWN_CHARACTERS, { own: ownCharacters(id) });
      if (!other) return id;
    }
  }

  list(page: PageQuery): Promise<Page<Workspace>> {
    return readNewest(this.workspaces, {}, page);
  }

  async get(workspaceId: string): Promise<Workspace> {
    const workspace = await this.workspaces.findOneBy({ id: workspaceId });
    if (!workspace) throw new Problem('not_found');
    return workspace;
  }

  update(tenant: Tenant, { brand, ...others }: UpdateWorkspaceDto): Promise<void> {
    return this.units.run(tenant, async (work) => {
      const { workspaceId: id, ifMatch } = work;
      // Starts wait for this row, so it is locked only for those who ask, and changed last.
      const workspace = ifMatch ? await this.lock(work) : await this.of(work);
      await work.requireMatch(() => WorkspaceDto.of(workspace));
      work.shows(async () => WorkspaceDto.of(await this.of(work)));
      const changes = { ...others, ...(brand && { brand: { ...workspace.brand, ...brand } }) };
      const fields = changedIn(workspace, changes);
      if (fields.length === 0) return;
      const subject = subjectOf({ id, name: changes.name ?? workspace.name });
      work.log({ action: 'workspace.changed', subject, details: { fields } });
      const { affected } = await work.manager.update(Workspace, { id }, { ...changes, updated_at: now });
      // A test workspace was deleted meanwhile.
      if (affected === 0) throw new Problem('not_found');
    });
  }

  /** Locks the workspace until the end. Starts of sessions wait for that. */
  lock(work: Work): Promise<Workspace> {
    return this.of(work, { mode: 'for_no_key_update' });
  }

  /** The workspace of a transaction. Throws a 404 without it. */
  async of({ workspaceId, manager }: Work, lock?: FindOneOptions['lock']): Promise<Workspace> {
    const workspace = await manager.findOne(Workspace, { where: { id: workspaceId }, lock });
    if (!workspace) throw new Problem('not_found');
    return workspace;
  }

  /** Sets how many sessions have started this month, of a workspace that is locked. */
  async setUsage({ workspaceId: id, manager }: Work, sessions_used: number): Promise<void> {
    await manager.update(Workspace, { id }, { usage_period: () => MONTH, sessions_used });
  }

  /** Stores whether each start of a session is an event. */
  async setStartsAreEvents({ workspaceId, manager }: Work, starts_are_events: boolean): Promise<void> {
    const differing = { id: workspaceId, starts_are_events: Not(starts_are_events) };
    await manager.update(Workspace, differing, { starts_are_events });
  }

  /** A key that the operator issues for a workspace. */
  async issueApiKey(operator: Tenant, workspaceId: string, key: CreateApiKeyDto): Promise<CreatedApiKeyDto> {
    await this.get(workspaceId);
    return this.units.run(operator, (work) => this.apiKeys.issue(work.within(workspaceId), key));
  }
}

function subjectOf({ id, name }: Pick<Workspace, 'id' | 'name'>) {
  return { type: 'workspace' as const, id, name };
}
