import type { Connection } from '../connection.ts';

/** A group of operations. */
export class Resource {
  constructor(protected readonly connection: Connection) {}

  protected get api(): Connection['api'] {
    return this.connection.api;
  }
}
