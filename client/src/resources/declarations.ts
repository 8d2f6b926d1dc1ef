import type { CallOptions } from '../connection.ts';
import { List } from '../list.ts';
import type { Answer, Body, Declaration, DeclarationList, Query } from '../types.ts';
import type { WebResponse } from '../web.ts';
import { Resource } from './resource.ts';

/** What customers declared on exit pages. */
export class Declarations extends Resource {
  /** Declarations, newest first. */
  list(query?: Query<'declarations_list'>, options?: CallOptions): List<DeclarationList, Declaration> {
    return new List(
      (from) =>
        this.connection.repeatable('get', '/api/v1/public/declarations', { query: { ...query, ...from } }, options),
      ({ declarations }) => declarations,
    );
  }

  /** Reads a declaration with its evidence. */
  get(id: string, options?: CallOptions): Promise<Answer<'declarations_get'>> {
    return this.connection.repeatable('get', '/api/v1/public/declarations/{id}', { path: { id } }, options);
  }

  /** All declarations as CSV, in a response that is yours to read. */
  csv(query?: Query<'declarations_csv'>, options?: CallOptions): Promise<WebResponse> {
    return this.connection.file('/api/v1/public/declarations.csv', { query }, options);
  }

  /** Notes whether your team has done what was declared. */
  change(id: string, body: Body<'declarations_change'>, options?: CallOptions): Promise<Answer<'declarations_change'>> {
    return this.connection.repeatable('put', '/api/v1/public/declarations/{id}', { path: { id }, body }, options);
  }

  /** Erases who declared and why. What was declared, and when, stays. */
  erase(id: string, options?: CallOptions): Promise<Answer<'declarations_erase'>> {
    return this.connection.repeatable('delete', '/api/v1/public/declarations/{id}', { path: { id } }, options);
  }
}
