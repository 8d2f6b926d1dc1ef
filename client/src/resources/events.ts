import { answer, type CallOptions } from '../connection.ts';
import { List } from '../list.ts';
import type { Answer, EventList, EventListItem, Query } from '../types.ts';
import { Resource } from './resource.ts';

/** What happened, and where it was sent. */
export class Events extends Resource {
  /** Events, newest first. */
  list(query?: Query<'events_list'>, options?: CallOptions): List<EventList, EventListItem> {
    return new List(
      (from) =>
        answer(
          this.api.GET('/api/v1/public/events', {
            params: { query: { ...query, ...from } },
            ...this.connection.repeatable(options),
          }),
        ),
      ({ events }) => events,
    );
  }

  /** Reads an event with its deliveries. */
  get(id: string, options?: CallOptions): Promise<Answer<'events_get'>> {
    return answer(
      this.api.GET('/api/v1/public/events/{id}', { params: { path: { id } }, ...this.connection.repeatable(options) }),
    );
  }

  /** Sends an event again. Not tried again after a lost answer. */
  redeliver(id: string, options?: CallOptions): Promise<Answer<'events_redeliver'>> {
    return answer(
      this.api.POST('/api/v1/public/events/{id}/redeliver', {
        params: { path: { id } },
        ...this.connection.once(options),
      }),
    );
  }
}
