import type { CallOptions } from '../connection.ts';
import { List } from '../list.ts';
import type { Answer, Query, SessionList, SessionListItem } from '../types.ts';
import { Resource } from './resource.ts';

/** What each customer was shown and did. */
export class Sessions extends Resource {
  /** Sessions, newest first. */
  list(query?: Query<'sessions_list'>, options?: CallOptions): List<SessionList, SessionListItem> {
    return new List(
      (from) => this.connection.repeatable('get', '/api/v1/public/sessions', { query: { ...query, ...from } }, options),
      ({ sessions }) => sessions,
    );
  }

  /** Reads a session with each step. */
  get(id: string, options?: CallOptions): Promise<Answer<'sessions_get'>> {
    return this.connection.repeatable('get', '/api/v1/public/sessions/{id}', { path: { id } }, options);
  }
}

/** Your customers, as far as sessions identify them. */
export class Customers extends Resource {
  /** Erases what identifies a customer, in all sessions and events. */
  erase(customerId: string, options?: CallOptions): Promise<Answer<'customers_erase'>> {
    return this.connection.repeatable(
      'delete',
      '/api/v1/public/customers/{customer_id}',
      { path: { customer_id: customerId } },
      options,
    );
  }
}
