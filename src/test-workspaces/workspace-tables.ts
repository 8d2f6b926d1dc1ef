import { Injectable } from '@nestjs/common';
import { DataSource, type EntityMetadata } from 'typeorm';
import { type Statement, statement } from '../platform/database/transaction/statement';
import type { Work } from '../tenancy/work/work';

/** A table with rows of workspaces. */
export interface WorkspaceTable {
  name: string;
  /** The column that names the workspace. */
  owner: string;
  /** The columns of its primary key. */
  key: string[];
  /** The tables that it refers to. */
  refersTo: string[];
  /** Its columns, by their types in Postgres. */
  columns: { name: string; type: string }[];
}

/** The order of `Work.lock`, then that of the search for abandoned sessions, then the other tables. */
const LOCKED_FIRST = [
  'offers',
  'flows',
  'workspace_codes',
  'audiences',
  'webhooks',
  'workspaces',
  'abandonment_cursors',
  'flow_sessions',
  'outbox',
];

/** Rows that other statements may not refer to meanwhile: they get other ids, or become events. */
const WAITED_FOR = new Set(['flow_sessions', 'outbox']);

/** The tables of the service with rows of workspaces, as the entities say: a new one is among them. */
@Injectable()
export class WorkspaceTables {
  /** A row comes before those that it refers to. */
  readonly leavesFirst: readonly WorkspaceTable[];
  private readonly locks: Statement[];

  constructor(dataSource: DataSource) {
    const owned = dataSource.entityMetadatas.filter((entity) => ownerOf(entity) !== undefined);
    this.leavesFirst = sorted(owned).map((entity) => ({
      name: entity.tableName,
      owner: ownerOf(entity)!,
      key: entity.primaryColumns.map(({ databaseName }) => databaseName),
      refersTo: entity.foreignKeys.map(({ referencedEntityMetadata }) => referencedEntityMetadata.tableName),
      columns: entity.columns
        .filter(({ isVirtualProperty }) => !isVirtualProperty)
        .map(({ databaseName, type, isArray }) => ({
          name: databaseName,
          type: `${String(type)}${isArray ? '[]' : ''}`,
        })),
    }));
    this.locks = this.leavesFirst
      .toSorted((one, other) => turnOf(one) - turnOf(other))
      .map(({ name, owner, key }) => {
        const mode = WAITED_FOR.has(name) ? 'UPDATE' : 'NO KEY UPDATE';
        const rows = `SELECT FROM ${name} WHERE ${owner} = :workspace ORDER BY ${key.join(', ')} FOR ${mode}`;
        return statement(`SELECT count(*) FROM (${rows}) AS locked`);
      });
  }

  /** Locks everything in a workspace: what is under way ends first, and nobody begins with half of what comes. */
  async lockAll(work: Work): Promise<void> {
    for (const lock of this.locks) await work.row(lock);
  }
}

function turnOf({ name }: WorkspaceTable): number {
  const index = LOCKED_FIRST.indexOf(name);
  return index < 0 ? LOCKED_FIRST.length : index;
}

function ownerOf({ tableName, columns }: EntityMetadata): string | undefined {
  if (tableName === 'workspaces') return 'id';
  return columns.find(({ databaseName }) => databaseName === 'workspace_id')?.databaseName;
}

/** Those first that no other one refers to. What is checked at the commit need not be in order. */
function sorted(entities: EntityMetadata[]): EntityMetadata[] {
  const left = new Set(entities);
  const isReferred = (entity: EntityMetadata) =>
    [...left].some((other) =>
      other.foreignKeys.some(({ referencedEntityMetadata, deferrable }) => {
        return other !== entity && referencedEntityMetadata === entity && deferrable !== 'INITIALLY DEFERRED';
      }),
    );
  const order: EntityMetadata[] = [];
  while (left.size > 0) {
    const leaf = [...left].find((entity) => !isReferred(entity))!;
    left.delete(leaf);
    order.push(leaf);
  }
  return order;
}
