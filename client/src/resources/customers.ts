import type { CallOptions } from '../connection.ts';
import { List } from '../list.ts';
import type {
  Answer,
  Body,
  Comment,
  CommentList,
  Query,
  SessionList,
  SessionListItem,
  SessionStatus,
} from '../types.ts';
import type { WebResponse } from '../web.ts';
import { Resource } from './resource.ts';

/** The same parameters with one status, or several. */
type Several<Q extends { status?: SessionStatus }> = Omit<Q, 'status'> & { status?: SessionStatus | SessionStatus[] };

/** What each customer was shown and did. */
export class Sessions extends Resource {
  /** Sessions, newest first. */
  list(query?: Several<Query<'sessions_list'>>, options?: CallOptions): List<SessionList, SessionListItem> {
    return new List(
      (from) => {
        const asked = { ...query, ...from } as Query<'sessions_list'>;
        return this.connection.repeatable('get', '/api/v1/public/sessions', { query: asked }, options);
      },
      ({ sessions }) => sessions,
    );
  }

  /** Reads a session with each step. */
  get(id: string, options?: CallOptions): Promise<Answer<'sessions_get'>> {
    return this.connection.repeatable('get', '/api/v1/public/sessions/{id}', { path: { id } }, options);
  }

  /**
   * Tries again what billing has not carried out for a session, or says that it is done. Not tried again after a lost
   * answer.
   */
  fulfil(id: string, body: Body<'sessions_fulfil'>, options?: CallOptions): Promise<Answer<'sessions_fulfil'>> {
    return this.connection.once('/api/v1/public/sessions/{id}/fulfilment', { path: { id }, body }, options);
  }

  /** All sessions as CSV, in a response that is yours to read. */
  csv(query?: Several<Query<'sessions_csv'>>, options?: CallOptions): Promise<WebResponse> {
    return this.connection.file('/api/v1/public/sessions.csv', { query: query as Query<'sessions_csv'> }, options);
  }
}

/** What customers wrote with their answers. */
export class Comments extends Resource {
  /** Comments, those of the newest session first. */
  list(query?: Query<'comments_list'>, options?: CallOptions): List<CommentList, Comment> {
    return new List(
      (from) => this.connection.repeatable('get', '/api/v1/public/comments', { query: { ...query, ...from } }, options),
      ({ comments }) => comments,
    );
  }

  /** All comments as CSV, in a response that is yours to read. */
  csv(query?: Query<'comments_csv'>, options?: CallOptions): Promise<WebResponse> {
    return this.connection.file('/api/v1/public/comments.csv', { query }, options);
  }
}

/** What became of customers after their sessions. */
export class Outcomes extends Resource {
  /** Reports that a customer canceled or paid, once for its `id`. */
  report(body: Body<'outcomes_report'>, options?: CallOptions): Promise<Answer<'outcomes_report'>> {
    return this.connection.repeatable('post', '/api/v1/public/outcomes', { body }, options);
  }
}

/** Your customers, as far as sessions identify them. */
export class Customers extends Resource {
  /** Reads what is stored about a customer, for a customer who asks (GDPR, article 15). */
  export(customerId: string, options?: CallOptions): Promise<Answer<'customers_export'>> {
    return this.connection.repeatable(
      'get',
      '/api/v1/public/customers/{customer_id}/export',
      { path: { customer_id: customerId } },
      options,
    );
  }

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
