import { Injectable } from '@nestjs/common';
import { DataSource, type EntityMetadata } from 'typeorm';

/** A table with rows of workspaces. */
export interface WorkspaceTable {
  name: string;
  /** The column that names the workspace. */
  owner: string;
  /** Its columns, by their types in Postgres. */
  columns: { name: string; type: string }[];
}

/** The tables of the service with rows of workspaces, as the entities say: a new one is among them. */
@Injectable()
export class WorkspaceTables {
  /** A row comes before those that it refers to. */
  readonly leavesFirst: readonly WorkspaceTable[];

  constructor(dataSource: DataSource) {
    const owned = dataSource.entityMetadatas.filter((entity) => ownerOf(entity) !== undefined);
    this.leavesFirst = sorted(owned).map((entity) => ({
      name: entity.tableName,
      owner: ownerOf(entity)!,
      columns: entity.columns
        .filter(({ isVirtualProperty }) => !isVirtualProperty)
        .map(({ databaseName, type, isArray }) => ({
          name: databaseName,
          type: `${String(type)}${isArray ? '[]' : ''}`,
        })),
    }));
  }
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
