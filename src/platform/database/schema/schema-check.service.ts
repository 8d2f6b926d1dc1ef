import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { version } from '../../../../package.json';
import { ConfigError } from '../../../settings/config';

/** How many things a message names. */
const NAMED = 5;

/** Each table with the types of its columns and the rights that the role lacks there, and each index. */
const CATALOG = `
  SELECT relname AS name, (
      SELECT json_object_agg(attname, format_type(atttypid, NULL)) FROM pg_attribute
      WHERE attrelid = relation.oid AND attnum > 0 AND NOT attisdropped
    ) AS types, ARRAY(
      SELECT privilege FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege
      WHERE relkind IN ('r', 'p') AND NOT has_table_privilege(relation.oid, privilege)
    ) AS forbidden
  FROM pg_class AS relation WHERE relkind IN ('r', 'p', 'i', 'I') AND pg_table_is_visible(oid)
    AND relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`;

interface Relation {
  name: string;
  /** The types of the columns, by name. */
  types: Record<string, string>;
  forbidden: string[];
}

/**
 * Refuses to start on a database that is not what the entities say, or that the role may not use: it was made by other
 * migrations of the same names, or somebody has changed it. A newer version may have added to it, and have taken
 * indexes that only make things faster.
 */
@Injectable()
export class SchemaCheck implements OnModuleInit {
  constructor(private readonly dataSource: DataSource) {}

  async onModuleInit(): Promise<void> {
    const relations = await this.dataSource.query<Relation[]>(CATALOG);
    const known = new Map(relations.map((relation) => [relation.name, relation]));
    const needed = this.dataSource.entityMetadatas;
    const missing = needed.flatMap(({ tableName, columns, indices, uniques }) => {
      const table = known.get(tableName);
      if (!table) return [tableName];
      const own = columns.filter(({ isVirtualProperty }) => !isVirtualProperty);
      return [
        ...own.flatMap((column) => {
          const type = this.dataSource.driver.normalizeType(column) + (column.isArray ? '[]' : '');
          const found = table.types[column.databaseName];
          if (found === undefined) return [`${tableName}.${column.databaseName}`];
          return found === type ? [] : [`${tableName}.${column.databaseName} of the type ${type}`];
        }),
        ...[...indices.filter(({ isUnique }) => isUnique), ...uniques]
          .map(({ name }) => name)
          .filter((name) => !known.has(name)),
      ];
    });
    if (missing.length > 0) {
      throw new ConfigError(
        `The database lacks ${listOf(missing)}: it was not made by the migrations of version ${version}, or was changed since. ` +
          'Restore a backup, or start the version that made it',
      );
    }
    const forbidden = needed.flatMap(({ tableName }) =>
      known.get(tableName)!.forbidden.map((privilege) => `${privilege} on ${tableName}`),
    );
    if (forbidden.length > 0)
      throw new ConfigError(`The role of the database needs ${listOf(forbidden)}: docs/deploy.md lists what to grant`);
  }
}

function listOf(names: string[]): string {
  const more = names.length - NAMED;
  return names.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
