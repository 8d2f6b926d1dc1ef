/** The parameters of a statement that is put together from parts. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Adds a value, and returns its place in the SQL. */
  add(value: unknown, type: 'uuid' | 'uuid[]' | 'integer' | 'date' | 'timestamptz'): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}
