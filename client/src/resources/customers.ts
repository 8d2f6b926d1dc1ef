import { answer, type CallOptions } from '../connection.ts';
import { List } from '../list.ts';
import type { Answer, Query, SessionList, SessionListItem } from '../types.ts';
import { Resource } from './resource.ts';

/** What each customer was shown and did. */
export class Sessions extends Resource {
  /** Sessions, newest first. */
  list(query?: Query<'sessions_list'>, options?: CallOptions): List<SessionList, SessionListItem> {
    return new List(
      (from) =>
        answer(
          this.api.GET('/api/v1/public/sessions', {
            params: { query: { ...query, ...from } },
            ...this.connection.repeatable(options),
          }),
        ),
      ({ sessions }) => sessions,
    );
  }

  /** Reads a session with each step. */
  get(id: string, options?: CallOptions): Promise<Answer<'sessions_get'>> {
    return answer(
      this.api.GET('/api/v1/public/sessions/{id}', {
        params: { path: { id } },
        ...this.connection.repeatable(options),
      }),
    );
  }
}

/** Your customers, as far as sessions identify them. */
export class Customers extends Resource {
  /** Erases what identifies a customer, in all sessions and events. */
  erase(customerId: string, options?: CallOptions): Promise<Answer<'customers_erase'>> {
    return answer(
      this.api.DELETE('/api/v1/public/customers/{customer_id}', {
        params: { path: { customer_id: customerId } },
        ...this.connection.repeatable(options),
      }),
    );
  }
}
