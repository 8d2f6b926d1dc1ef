import type { Connection } from '../connection.ts';

/** A group of operations. */
export class Resource {
  constructor(protected readonly connection: Connection) {}
}
