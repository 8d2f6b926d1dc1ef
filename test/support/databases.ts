import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { databaseName, SERVER_URL, withDatabase } from './database';

/** Empty databases of one test. */
export class Databases {
  private readonly names: string[] = [];

  /** Creates a database and returns its connection string. */
  async create(): Promise<string> {
    const name = databaseName(randomUUID().replaceAll('-', ''));
    await this.onServer(`CREATE DATABASE ${name}`);
    this.names.push(name);
    return withDatabase(name);
  }

  async dropAll(): Promise<void> {
    for (const name of this.names.splice(0)) await this.onServer(`DROP DATABASE ${name} WITH (FORCE)`);
  }

  private async onServer(sql: string): Promise<void> {
    const client = new Client(process.env[SERVER_URL]);
    await client.connect();
    await client.query(sql);
    await client.end();
  }
}
