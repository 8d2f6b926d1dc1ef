import type { EntityTarget } from 'typeorm';
import { MAX_ID } from '../../platform/api/ids';
import { type Page, type Position, readPageAt, type WholePageQuery } from '../../platform/api/paging/pagination';
import { INT4_MAX } from '../../settings/readers';
import { plain } from '../../platform/api/fields/plain';
import { type FieldError, MAX_FIELD_ERRORS, Problem } from '../../platform/api/problems/problem';
import { pick } from '../../platform/common/pick';
import { prepared, statement } from '../../platform/database/transaction/statement';
import { now } from '../../platform/database/time';
import type { Actor } from '../access/actor';
import { changedIn, fieldsIn } from '../log/change-log';
import type { Tenant } from '../work/tenant';
import type { UnitsOfWork } from '../work/units-of-work.service';
import type { Reader, Work } from '../work/work';

/** What has versions, such as a flow: its tables are `flows`, `flow_versions` and `flow_drafts`. */
export interface Kind<Content> {
  type: 'flow' | 'offer';
  entity: EntityTarget<{ workspace_id: string; id: string; current_version: number }>;
  draft: EntityTarget<{ workspace_id: string }>;
  /** The fields that versions and drafts have. */
  content: readonly (keyof Content & string)[];
}

/** A version without its content. */
export interface VersionListItem {
  version: number;
  note: string | null;
  /** null: the service itself. */
  published_by: Actor | null;
  created_at: Date;
}

const LISTED = ['version', 'note', 'published_by', 'created_at'] as const;

export type Version<Content> = Content & VersionListItem;

/** What is being edited beside what is live. */
export type StoredDraft<Content> = Content & {
  based_on_version: number;
  current_version: number;
  updated_by: Actor;
  updated_at: Date;
};

/** A draft as it is shown. */
export type Draft<Content> = StoredDraft<Content> & { faults: FieldError[] };

/** What is live after a change. */
export type Published<Warning> = { updated: true; id: string; version: number; warnings?: Warning[] };

/**
 * Drafts and versions of flows, and of offers. Each version is a row that never changes, numbered from 1. A thing has
 * at most one draft; locking the thing locks its draft.
 */
export abstract class Versions<Content extends object, Result extends Published<object>> {
  private readonly statements;

  protected constructor(
    protected readonly units: UnitsOfWork,
    private readonly kind: Kind<Content>,
  ) {
    this.statements = statementsOf(kind);
  }

  /** The thing as it is read, from which its ETag is made. */
  protected abstract shown(reader: Reader, id: string): Promise<object>;

  /** What is live. */
  protected abstract live(reader: Reader, id: string): Promise<Content>;

  /** The content after changes. Faults stay: a draft may have some. */
  protected abstract merged(content: Content, changes: Partial<Content>): Content;

  /** Why a draft can't be published. */
  protected abstract faultsOf(reader: Reader, id: string, draft: StoredDraft<Content>): Promise<FieldError[]>;

  /** The refusal to publish a draft with faults. */
  protected abstract refused(faults: FieldError[]): Problem;

  /** Content of an earlier version, without what was deleted since, and a warning for each thing that is left out. */
  protected abstract restorable(reader: Reader, content: Content): Promise<{ content: Content; warnings: object[] }>;

  /** Makes content live, as the next version if it differs from what is. */
  protected abstract write(work: Work, id: string, content: Content, note: string | undefined): Promise<Result>;

  /** The current version when it has no row. Throws a 404 unless overridden. */
  protected unkept(_reader: Reader, _id: string): Promise<Version<Content>> {
    throw new Problem('not_found');
  }

  /** Newest first. */
  list(tenant: Tenant, id: string, query: WholePageQuery): Promise<Page<VersionListItem>> {
    const reader = this.units.reader(tenant);
    const read = async ({ number: before = INT4_MAX }: Position, take: number) => {
      const versions = await reader.rows<VersionListItem>(this.statements.list, { id, before, take });
      if (versions.length > 0) return versions;
      await reader.get(this.kind.entity, id);
      return before === INT4_MAX ? [pick(await this.unkept(reader, id), LISTED)] : [];
    };
    return readPageAt(query, read, ({ version }) => ({ before: MAX_ID, number: version }));
  }

  async get(tenant: Tenant, id: string, version: number): Promise<Version<Content>> {
    const reader = this.units.reader(tenant);
    const kept = await reader.row<Version<Content>>(this.statements.version, { id, version });
    const found = kept ?? (await this.unkept(reader, id));
    if (found.version !== version) throw new Problem('not_found');
    return found;
  }

  /** Makes the content of a version the next version. */
  restore(tenant: Tenant, id: string, version: number, { note }: { note?: string }): Promise<Result> {
    return this.units.run(tenant, async (work) => {
      await work.lock(this.kind.entity, id);
      const earlier = await this.get(work, id, version);
      await work.requireMatch(() => this.shown(work, id));
      const { content, warnings } = await this.restorable(work, this.contentIn(earlier));
      const restored = await this.write(work, id, content, note);
      return warnings.length > 0
        ? { ...restored, warnings: [...warnings, ...(restored.warnings ?? [])].slice(0, MAX_FIELD_ERRORS) }
        : restored;
    });
  }

  async draft(tenant: Tenant, id: string): Promise<Draft<Content>> {
    const reader = this.units.reader(tenant);
    const draft = await this.readDraft(reader, id);
    return { ...draft, faults: await this.faultsOf(reader, id, draft) };
  }

  /** The draft's content as customers would see it. Throws if it has faults. */
  async soundDraft(tenant: Tenant, id: string): Promise<Content> {
    const { faults, ...draft } = await this.draft(tenant, id);
    if (faults.length > 0) throw this.refused(faults);
    return this.contentIn(draft as StoredDraft<Content>);
  }

  /** Merges the changes into the draft, or else into what is live. */
  saveDraft(tenant: Tenant, id: string, changes: Partial<Content>): Promise<Draft<Content>> {
    return this.units.run(tenant, async (work) => {
      const { current_version } = await work.lock(this.kind.entity, id);
      const draft = await work.row<StoredDraft<Content>>(this.statements.draft, { id });
      // Before there is a draft, its author has read what is live.
      await work.requireMatch(async () => draft ?? this.shown(work, id));
      const content = this.merged(draft ?? (await this.live(work, id)), plain(changes));
      // A draft begins even if it equals what is live.
      const fields = draft ? changedIn(draft, content) : fieldsIn(changes);
      if (draft && fields.length === 0) return this.draft(work, id);
      const based_on_version = draft?.based_on_version ?? current_version;
      const row = { ...this.of(id), based_on_version, ...content, updated_by: work.actor, updated_at: now };
      if (draft) await work.update(this.kind.draft, this.of(id), row);
      else work.insert(this.kind.draft, row);
      work.log({ action: 'draft.saved', subject: this.subject(id, content), details: { fields } });
      return this.draft(work, id);
    });
  }

  deleteDraft(tenant: Tenant, id: string): Promise<void> {
    return this.units.run(tenant, async (work) => {
      await work.lock(this.kind.entity, id);
      const draft = await this.readDraft(work, id);
      await work.requireMatch(() => draft);
      await work.delete(this.kind.draft, this.of(id));
      work.log({ action: 'draft.deleted', subject: this.subject(id, draft) });
    });
  }

  /**
   * Makes the draft the next version, and removes it. If another version went live since it was begun, it takes the
   * ETag of the draft, which names the version that is live.
   */
  publishDraft(tenant: Tenant, id: string, { note }: { note?: string }): Promise<Result> {
    return this.units.run(tenant, async (work) => {
      await work.lock(this.kind.entity, id);
      const draft = await this.readDraft(work, id);
      await work.requireMatch(() => draft);
      const hasSeen = Array.isArray(work.ifMatch);
      if (!hasSeen && draft.based_on_version !== draft.current_version) throw new Problem('version_changed');
      const faults = await this.faultsOf(work, id, draft);
      if (faults.length > 0) throw this.refused(faults);
      await work.delete(this.kind.draft, this.of(id));
      return this.write(work, id, this.contentIn(draft), note);
    });
  }

  private async readDraft(reader: Reader, id: string): Promise<StoredDraft<Content>> {
    const draft = await reader.row<StoredDraft<Content>>(this.statements.draft, { id });
    if (!draft) {
      throw new Problem(
        'not_found',
        {},
        `There is no draft of ${this.kind.type === 'flow' ? 'a flow' : 'an offer'} with this id.`,
      );
    }
    return draft;
  }

  private contentIn(row: Content): Content {
    return pick(row, this.kind.content) as Content;
  }

  /** Which rows of versions and drafts are those of a thing. */
  private of(id: string): object {
    return { [`${this.kind.type}_id`]: id };
  }

  private subject(id: string, content: object) {
    return { type: this.kind.type, id, name: (content as { name: string }).name };
  }
}

/** The publisher of a new version; null if the service itself publishes it. */
export function publisherIn({ actor }: Work): Actor | null {
  return actor.type === 'service' ? null : actor;
}

function statementsOf({ type, content }: Pick<Kind<object>, 'type'> & { content: readonly string[] }) {
  const versions = `FROM ${type}_versions WHERE workspace_id = :workspace AND ${type}_id = :id`;
  return {
    list: statement(
      `SELECT ${LISTED.join(', ')} ${versions} AND version < :before::bigint ORDER BY version DESC LIMIT :take`,
    ),
    version: statement(
      `SELECT ${LISTED.join(', ')}, ${content.map((field) => `"${field}"`).join(', ')} ${versions} AND version = :version`,
    ),
    draft: prepared(
      `${type}-draft`,
      `SELECT ${content.map((field) => `draft."${field}"`).join(', ')}, draft.based_on_version, live.current_version,
        draft.updated_by, draft.updated_at
      FROM ${type}_drafts AS draft JOIN ${type}s AS live ON live.workspace_id = draft.workspace_id AND live.id = draft.${type}_id
      WHERE draft.workspace_id = :workspace AND draft.${type}_id = :id`,
    ),
  };
}
