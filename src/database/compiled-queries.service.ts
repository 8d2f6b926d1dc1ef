import { Injectable } from '@nestjs/common';
import type {
  EntityManager,
  ObjectLiteral,
  QueryBuilder,
  QueryDeepPartialEntity,
  Repository,
  SelectQueryBuilder,
} from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { ConnectionPool } from './connection-pool';
import { Pooler } from './pooler';

/**
 * Queries whose SQL TypeORM builds only once: building it takes longer than a small query itself. Each runs by itself, not in
 * a transaction, unless an insert is given the manager of one.
 *
 * Postgres prepares a query by its name once for each connection, and soon plans it without looking at the parameters. So a
 * query has to have one best plan for all of them, such as a list that is read along the primary key.
 */
@Injectable()
export class CompiledQueries {
  constructor(
    private readonly connections: ConnectionPool,
    private readonly pooler: Pooler,
  ) {}

  /**
   * Rows as plain objects, with each selected column under the name of its property. The query names its parameters
   * (`:id`); their values, and the most rows to return, come with each call.
   */
  select<Row>(
    query: SelectQueryBuilder<ObjectLiteral>,
    name: string,
  ): (parameters: ObjectLiteral, take?: number) => Promise<Row[]> {
    const transformed = selectByName(query).filter(({ transformer }) => transformer);
    const { driver } = query.dataSource;
    let statement: Statement | undefined;
    return async (parameters, take) => {
      const { text, names } = (statement ??= compile(query, Object.keys(parameters)));
      const values = [...names.map((parameter) => parameters[parameter] as unknown), take];
      const rows = await this.send(`${text} LIMIT $${values.length}`, values, name);
      for (const column of transformed) {
        const { propertyName: property } = column;
        for (const row of rows) row[property] = driver.prepareHydratedValue(row[property], column);
      }
      return rows as Row[];
    };
  }

  /** Inserts a row. Some columns are the same SQL in every row (`constants`); all others are given with each call. */
  insert<Entity extends ObjectLiteral, Constant extends keyof Entity>(
    entities: Repository<Entity>,
    constants: Record<Constant, () => string>,
    name: string,
  ): (row: Omit<Entity, Constant>, manager?: EntityManager) => Promise<void> {
    const { columns, dataSource } = entities.metadata;
    const given = columns.filter(({ propertyName, isInsert }) => isInsert && !(propertyName in constants));
    const names = given.map(({ propertyName }) => propertyName);
    const placeholders = Object.fromEntries(names.map((column) => [column, () => `:${column}`]));
    const values = { ...placeholders, ...constants } as QueryDeepPartialEntity<Entity>;
    const query = entities.createQueryBuilder().insert().values(values).updateEntity(false);
    const { text } = compile(query, names);
    const valueOf = (row: ObjectLiteral) => (column: ColumnMetadata) =>
      dataSource.driver.preparePersistentValue(row[column.propertyName], column) as unknown;
    return async (row, manager) => {
      const parameters = given.map(valueOf(row));
      await (manager ? manager.query(text, parameters) : this.send(text, parameters, name));
    };
  }

  /** An error destroys the connection. These statements fail only if the server or the way to it does. */
  private async send(text: string, values: unknown[], name: string): Promise<ObjectLiteral[]> {
    return (await this.connections.pool.query<ObjectLiteral>(this.pooler.prepared({ name, text, values }))).rows;
  }
}

/** Lets a query return each column that it selects under the name of its property. */
function selectByName(query: SelectQueryBuilder<ObjectLiteral>): ColumnMetadata[] {
  const selected = query.expressionMap.selects.flatMap(({ selection }) => {
    const [alias, property] = selection.split('.');
    const { metadata } = query.expressionMap.findAliasByName(alias);
    const columns = property ? [metadata.findColumnWithPropertyName(property)!] : metadata.columns;
    return columns.map((column) => ({ alias, column }));
  });
  query.select([]);
  for (const { alias, column } of selected) query.addSelect(`${alias}.${column.propertyName}`, column.propertyName);
  return selected.map(({ column }) => column);
}

/** A statement, and the names of its parameters in order. */
interface Statement {
  text: string;
  names: string[];
}

/** TypeORM returns the values of the parameters in order. Passing each name as its value tells which one is $1, $2 and so on. */
function compile(query: QueryBuilder<ObjectLiteral>, parameters: string[]): Statement {
  query.setParameters(Object.fromEntries(parameters.map((name) => [name, name])));
  const [text, names] = query.getQueryAndParameters();
  return { text, names: names as string[] };
}
