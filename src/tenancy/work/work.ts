import type { QueryConfig } from 'pg';
import type {
  EntityManager,
  EntityMetadata,
  EntityTarget,
  FindManyOptions,
  FindOptionsWhere,
  ObjectLiteral,
  QueryDeepPartialEntity,
} from 'typeorm';
import { etagOf, requireMatch } from '../../platform/api/etag';
import { type Page, type PageQuery, readNewest } from '../../platform/api/paging/pagination';
import { Problem } from '../../platform/api/problems/problem';
import type { Send } from '../../platform/database/transaction/pipeline.service';
import { bound, prepared, type Statement, valuesOf } from '../../platform/database/transaction/statement';
import type { NewEvent } from '../../outbox/event-types';
import { outboxInsert } from '../../outbox/outbox.service';
import { APPEND_CHANGES, entriesOf, type NewChange } from '../log/change-log';
import { NO_WORKSPACE, type Tenant } from './tenant';

/** A row of a tenant's table. */
interface TenantRow extends ObjectLiteral {
  workspace_id: string;
}

/** The rows to find: those with an id, or with these values. */
type Which<Row> = string | FindOptionsWhere<Row>;

/** Reads rows of a tenant, and adds its `workspace_id`. */
export class Reader implements Tenant {
  readonly workspaceId: Tenant['workspaceId'];
  readonly actor: Tenant['actor'];
  readonly role: Tenant['role'];
  readonly ifMatch: Tenant['ifMatch'];

  constructor(
    { workspaceId, actor, role, ifMatch }: Tenant,
    readonly manager: EntityManager,
    private readonly read: (query: QueryConfig & { values: unknown[] }) => Promise<unknown[]>,
  ) {
    this.workspaceId = workspaceId;
    this.actor = actor;
    this.role = role;
    this.ifMatch = ifMatch;
  }

  /** Throws a 404 without such a row. */
  async get<Row extends TenantRow>(entity: EntityTarget<Row>, which: Which<Row>): Promise<Row> {
    return found(await this.manager.findOneBy(entity, this.own(which)));
  }

  find<Row extends TenantRow>(
    entity: EntityTarget<Row>,
    where: FindOptionsWhere<Row>,
    options: Omit<FindManyOptions<Row>, 'where'> = {},
  ): Promise<Row[]> {
    return this.manager.find(entity, { ...options, where: this.own(where) });
  }

  /** A page of the rows with these values, newest first. */
  page<Row extends TenantRow & { id: string }>(
    entity: EntityTarget<Row>,
    where: FindOptionsWhere<Row>,
    query: PageQuery,
  ): Promise<Page<Row>> {
    return readNewest(this.manager.getRepository(entity), this.own(where), query);
  }

  count<Row extends TenantRow>(entity: EntityTarget<Row>, where: FindOptionsWhere<Row> = {}): Promise<number> {
    return this.manager.countBy(entity, this.own(where));
  }

  /** The rows of a statement. It has to name the tenant's `:workspace`. */
  rows<Row extends object>(statement: Statement, values: Record<string, unknown> = {}): Promise<Row[]> {
    return this.read(bound(statement, this.workspaceId, values)) as Promise<Row[]>;
  }

  /** The first of them. */
  async row<Row extends object>(statement: Statement, values?: Record<string, unknown>): Promise<Row | undefined> {
    return (await this.rows<Row>(statement, values))[0];
  }

  protected own<Row extends TenantRow>(which: Which<Row>): FindOptionsWhere<Row> {
    const where = typeof which === 'string' ? { id: which } : which;
    return { ...where, workspace_id: this.workspaceId } as FindOptionsWhere<Row>;
  }
}

/**
 * A transaction of a tenant. What it logs and emits is committed together with what it changes, or not at all.
 *
 * Statements run in the order in which they are sent. The transaction fails with the error of the first one that fails,
 * whether that was waited for or not.
 */
export class Work extends Reader {
  private changed?: () => object | Promise<object>;

  constructor(
    tenant: Tenant,
    manager: EntityManager,
    private readonly send: Send,
    /** The workspaces of the events that were emitted. */
    readonly emitted = new Set<string>(),
  ) {
    super(tenant, manager, async (query) => (await send(query)).rows);
  }

  /** The same transaction, in another workspace, or of another actor. */
  within(workspaceId: string, actor = this.actor): Work {
    return new Work({ actor, workspaceId }, this.manager, this.send, this.emitted);
  }

  /**
   * Locks a row until the end. Throws a 404 without it.
   *
   * Several are locked in this order, so that no two transactions wait for each other: offers by id, flows by id, the
   * row of `workspace_codes`, audiences by id, webhooks by id, the row of `workspaces`. A configuration document takes
   * its turn before all of them. Pictures are locked at any time: whoever deletes one waits for nothing else.
   *
   * @param shown what the tenant knows of the row: throws a 412 if that is not a version that the tenant accepts
   */
  async lock<Row extends TenantRow>(
    entity: EntityTarget<Row>,
    which: Which<Row>,
    shown?: (row: Row) => object | Promise<object>,
  ): Promise<Row> {
    const where = this.own(which);
    const row = found(await this.manager.findOne(entity, { where, lock: { mode: 'for_no_key_update' } }));
    if (shown) await this.requireMatch(() => shown(row));
    return row;
  }

  /** Says what the tenant has changed, as it is when the transaction ends. */
  shows(changed: () => object | Promise<object>): void {
    this.changed = changed;
  }

  /** The version of what was changed; undefined if that is nothing. */
  async newETag(): Promise<string | undefined> {
    return this.changed && etagOf(await this.changed());
  }

  /** Throws a 412 if a locked thing is not a version that the tenant accepts. */
  async requireMatch(shown: () => object | Promise<object>): Promise<void> {
    if (this.ifMatch) requireMatch(this.ifMatch, await shown());
  }

  /** The rows of a statement about all workspaces, people, who may be in several, their links, or advisory locks. */
  async acrossTenants<Row extends object>(statement: Statement, values: Record<string, unknown> = {}): Promise<Row[]> {
    return (await this.send({ ...statement, values: valuesOf(statement, values) })).rows as Row[];
  }

  /** Runs a statement, and returns how many rows it wrote. */
  async write(statement: Statement, values: Record<string, unknown> = {}): Promise<number> {
    return (await this.send(bound(statement, this.workspaceId, values))).rowCount!;
  }

  /** Sends a statement, without waiting for it. */
  enqueue(statement: Statement, values: Record<string, unknown> = {}): void {
    void this.send(bound(statement, this.workspaceId, values));
  }

  /** Sends rows, without waiting for them. A value may be a function that returns SQL. */
  insert<Row extends TenantRow>(
    entity: EntityTarget<Row>,
    ...rows: Omit<QueryDeepPartialEntity<Row>, 'workspace_id'>[]
  ): void {
    const alike = new Map<Statement, ObjectLiteral[]>();
    for (const row of rows) {
      const insertion = insertionOf(this.manager.connection.getMetadata(entity), row);
      const before = alike.get(insertion);
      if (before) before.push(row);
      else alike.set(insertion, [row]);
    }
    for (const [insertion, all] of alike) this.enqueue(insertion, { rows: JSON.stringify(all.map(withBytes)) });
  }

  /** Returns how many rows it changed. */
  async update<Row extends TenantRow>(
    entity: EntityTarget<Row>,
    which: Which<Row>,
    values: Omit<QueryDeepPartialEntity<Row>, 'workspace_id'>,
  ): Promise<number> {
    const { workspace_id: _, ...own } = values as QueryDeepPartialEntity<TenantRow>;
    return (await this.manager.update(entity, this.own(which), own as QueryDeepPartialEntity<Row>)).affected!;
  }

  /** Returns how many rows it deleted. */
  async delete<Row extends TenantRow>(entity: EntityTarget<Row>, which: Which<Row>): Promise<number> {
    return (await this.manager.delete(entity, this.own(which))).affected!;
  }

  /** Records what the actor did in the log of changes, without waiting for it. */
  log(...changes: NewChange[]): void {
    void this.send(bound(APPEND_CHANGES, this.requireWorkspace(), { entries: entriesOf(this.actor, changes) }));
  }

  /** Records an event, and returns its id. It is sent at once after the commit. */
  async emit(event: NewEvent): Promise<string> {
    const workspace_id = this.requireWorkspace();
    this.emitted.add(workspace_id);
    const { rows } = await this.send<{ id: string }>(outboxInsert([{ ...event, workspace_id }]));
    return rows[0].id;
  }

  /** The operator and the service may act in no workspace: see `within`. */
  private requireWorkspace(): string {
    if (this.workspaceId === NO_WORKSPACE) throw new Error('There is no workspace');
    return this.workspaceId;
  }
}

/** Insertions by their texts. Those of a table are few. */
const INSERTIONS = new Map<string, Statement>();

/**
 * The statement that inserts rows like this one: `:rows`, a JSON array. Columns whose default is null are in all of
 * them. Postgres prepares it once, however many rows there are, and TypeORM would take longer to build it than Postgres
 * to run it.
 */
function insertionOf({ tableName, columns }: EntityMetadata, row: ObjectLiteral): Statement {
  const filled = columns.filter(
    ({ propertyName: name, isNullable, default: byDefault }) =>
      name !== 'workspace_id' && (row[name] !== undefined || (isNullable && byDefault === undefined)),
  );
  const names = filled.map(({ databaseName }) => `"${databaseName}"`);
  const values = filled.map(({ propertyName }, index) => {
    const value: unknown = row[propertyName];
    return typeof value === 'function' ? String(value()) : names[index];
  });
  const text = `INSERT INTO ${tableName} (workspace_id, ${names.join(', ')})
    SELECT :workspace, ${values.join(', ')} FROM jsonb_populate_recordset(NULL::${tableName}, :rows)`;
  const known = INSERTIONS.get(text);
  if (known) return known;
  const insertion = prepared(`insert-${INSERTIONS.size}`, text);
  INSERTIONS.set(text, insertion);
  return insertion;
}

/** A row with its bytes as Postgres reads them from JSON. */
function withBytes(row: ObjectLiteral): ObjectLiteral {
  const values = Object.entries(row).map(([name, value]: [string, unknown]) => [
    name,
    Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value,
  ]);
  return Object.fromEntries(values) as ObjectLiteral;
}

function found<Row>(row: Row | null): Row {
  if (!row) throw new Problem('not_found');
  return row;
}
