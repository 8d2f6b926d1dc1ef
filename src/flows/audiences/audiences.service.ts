import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { newId } from '../../platform/api/ids';
import type { Page, PageQuery } from '../../platform/api/paging/pagination';
import { plain } from '../../platform/api/fields/plain';
import { type FieldError, Problem } from '../../platform/api/problems/problem';
import { requireRoom } from '../../platform/api/room';
import { statement } from '../../platform/database/transaction/statement';
import { now } from '../../platform/database/time';
import { changedIn } from '../../tenancy/log/change-log';
import { requireFreeKeys, setsKey } from '../../tenancy/own-key';
import type { Tenant } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import type { Reader, Work } from '../../tenancy/work/work';
import { WorkspaceCounter } from '../../workspaces/counters/workspace-counter.service';
import { CURRENT_FLOWS, NOT_ARCHIVED } from '../flow-queries';
import { conditionsIn } from '../graph/branch-conditions';
import { type HeldAudiences, faultsOfWhen } from '../../conditions/conditions';
import { audienceFaults } from '../graph/flow-faults';
import type { ConditionGroup } from '../../conditions/condition.dto';
import type { FlowDefinition } from '../graph/flow-definition';
import { MAX_AUDIENCES } from '../graph/graph-limits';
import { Audience } from './audience.entity';
import { AudienceDto, type CreateAudienceDto, type UpdateAudienceDto } from './audience.dto';

/** Keeps audiences from being deleted until this ends. */
const LOCK_USED = statement(
  'SELECT id, "when" FROM audiences WHERE workspace_id = :workspace AND id = ANY (:ids) ORDER BY id FOR KEY SHARE',
);
/** Waits for changes that are about to name it. */
const LOCK_UNUSED = statement('SELECT name FROM audiences WHERE workspace_id = :workspace AND id = :id FOR UPDATE');

const NAMES = `'$.nodes[*].config.ways[*].when.**.audience ? (@ == $id)', jsonb_build_object('id', :id::text)`;

/** The flows that name an audience, live or in their drafts. */
const NAMING = statement(
  `SELECT flow.id, content.name FROM ${CURRENT_FLOWS}
  LEFT JOIN flow_drafts AS draft ON draft.workspace_id = flow.workspace_id AND draft.flow_id = flow.id
  WHERE flow.workspace_id = :workspace AND flow.status = ANY (:statuses)
    AND (jsonb_exists(content.audiences, :id::text) OR jsonb_path_exists(draft.definition, ${NAMES}))
  ORDER BY flow.id DESC LIMIT ${MAX_AUDIENCES}`,
);

/** The audiences of a workspace: conditions with a name, which branches of several flows go by. */
@Injectable()
export class AudiencesService {
  constructor(
    private readonly units: UnitsOfWork,
    private readonly counter: WorkspaceCounter,
  ) {}

  create(tenant: Tenant, sent: CreateAudienceDto): Promise<Pick<Audience, 'id' | 'name'>> {
    const { key = null, name, when } = plain(sent);
    requireSound(when);
    return this.units.run(tenant, async (work) => {
      await this.counter.lock(work);
      requireRoom(await work.count(Audience), MAX_AUDIENCES, 'audience_limit_reached');
      await requireFreeKeys(work, 'audiences', [key]);
      const created = { id: newId(), name };
      work.insert(Audience, { ...created, key, when, created_at: now, updated_at: now });
      work.log({ action: 'audience.created', subject: { type: 'audience', ...created } });
      return created;
    });
  }

  list(tenant: Tenant, page: PageQuery): Promise<Page<Audience>> {
    return this.units.reader(tenant).page(Audience, {}, page);
  }

  get(tenant: Tenant, id: string): Promise<Audience> {
    return this.units.reader(tenant).get(Audience, id);
  }

  /** Merges the changes into an audience. Flows take them when they are published again. */
  update(tenant: Tenant, id: string, sent: UpdateAudienceDto): Promise<void> {
    const changes = plain(sent);
    if (changes.when) requireSound(changes.when);
    return this.units.run(tenant, async (work) => {
      const audience = await work.lock(Audience, id, (row) => AudienceDto.of(row));
      work.shows(async () => AudienceDto.of(await work.get(Audience, id)));
      const fields = changedIn(audience, changes);
      if (fields.length === 0) return;
      if (setsKey(audience, changes.key)) {
        await this.counter.lock(work);
        await requireFreeKeys(work, 'audiences', [changes.key]);
      }
      await work.update(Audience, id, { ...changes, updated_at: now });
      const name = changes.name ?? audience.name;
      work.log({ action: 'audience.changed', subject: { type: 'audience', id, name }, details: { fields } });
    });
  }

  /** Throws a 409 with the flows that name it. */
  delete(tenant: Tenant, id: string): Promise<void> {
    return this.units.run(tenant, async (work) => {
      const audience = await work.row<Pick<Audience, 'name'>>(LOCK_UNUSED, { id });
      if (!audience) throw new Problem('not_found');
      await work.requireMatch(async () => AudienceDto.of(await work.get(Audience, id)));
      const flows = await work.rows<{ id: string; name: string }>(NAMING, { id, statuses: NOT_ARCHIVED });
      if (flows.length > 0) throw new Problem('in_use', { flows });
      await work.delete(Audience, id);
      work.log({ action: 'audience.deleted', subject: { type: 'audience', id, name: audience.name } });
    });
  }

  /** The audiences that a graph names, as they are now, which stay until the unit of work ends. 400 without one. */
  async held(work: Work, definition: FlowDefinition): Promise<HeldAudiences> {
    const ids = audiencesNamedIn(definition);
    if (ids.length === 0) return {};
    // In this order: a change of a key locks the counter, too, and then the whole row.
    await this.counter.lock(work);
    const rows = await work.rows<Pick<Audience, 'id' | 'when'>>(LOCK_USED, { ids });
    const found = new Map(rows.map(({ id, when }) => [id, when]));
    const faults = inFlow(audienceFaults(definition, found));
    if (faults.length > 0) throw Problem.invalid(faults);
    return Object.fromEntries(found);
  }

  /** The audiences that a graph names, as they are now. Those that there are not are missing. */
  async now(reader: Reader, definition: FlowDefinition): Promise<HeldAudiences> {
    const ids = audiencesNamedIn(definition);
    const rows = ids.length > 0 ? await reader.find(Audience, { id: In(ids) }) : [];
    return Object.fromEntries(rows.map(({ id, when }) => [id, when]));
  }

  /** What is wrong with the audiences that a sound graph names, each with a pointer into the flow. */
  async faultsOf(reader: Reader, definition: FlowDefinition): Promise<FieldError[]> {
    return inFlow(audienceFaults(definition, new Map(Object.entries(await this.now(reader, definition)))));
  }
}

/** The ids of the audiences that a graph names, each once. */
export function audiencesNamedIn(definition: FlowDefinition): string[] {
  return [
    ...new Set(
      conditionsIn(definition).flatMap(({ condition }) => ('audience' in condition ? condition.audience : [])),
    ),
  ];
}

const inFlow = (faults: FieldError[]): FieldError[] =>
  faults.map(({ pointer, message }) => ({ pointer: `/definition${pointer}`, message }));

/** Throws a 400 if the conditions of an audience can't be meant. Answers are checked where a flow uses it. */
function requireSound(when: ConditionGroup): void {
  const faults = faultsOfWhen(when);
  if (faults.length > 0) throw Problem.invalid(faults);
}
