import type { CallOptions } from '../connection.ts';
import { List } from '../list.ts';
import type { Change, ChangeList, Query } from '../types.ts';
import type { WebResponse } from '../web.ts';
import { Resource } from './resource.ts';

/** The log of changes: actor, action and subject of each. */
export class Changes extends Resource {
  /** Changes, newest first. */
  list(query?: Query<'changes_list'>, options?: CallOptions): List<ChangeList, Change> {
    return new List(
      (from) => this.connection.repeatable('get', '/api/v1/public/changes', { query: { ...query, ...from } }, options),
      ({ changes }) => changes,
    );
  }

  /** All changes as CSV, in a response that is yours to read. */
  csv(query?: Query<'changes_csv'>, options?: CallOptions): Promise<WebResponse> {
    return this.connection.file('/api/v1/public/changes.csv', { query }, options);
  }
}
