import type { CallOptions } from '../connection.ts';
import { List } from '../list.ts';
import type { Answer, EventList, EventListItem, Query } from '../types.ts';
import { Resource } from './resource.ts';

/** What happened, and where it was sent. */
export class Events extends Resource {
  /** Events, newest first. */
  list(query?: Query<'events_list'>, options?: CallOptions): List<EventList, EventListItem> {
    return new List(
      (from) => this.connection.repeatable('get', '/api/v1/public/events', { query: { ...query, ...from } }, options),
      ({ events }) => events,
    );
  }

  /** Reads an event with its deliveries. */
  get(id: string, options?: CallOptions): Promise<Answer<'events_get'>> {
    return this.connection.repeatable('get', '/api/v1/public/events/{id}', { path: { id } }, options);
  }

  /** Sends an event again. Not tried again after a lost answer. */
  redeliver(id: string, options?: CallOptions): Promise<Answer<'events_redeliver'>> {
    return this.connection.once('/api/v1/public/events/{id}/redeliver', { path: { id } }, options);
  }
}
