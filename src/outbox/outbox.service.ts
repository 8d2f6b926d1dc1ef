import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import type { QueryConfig } from 'pg';
import { eventIdAt } from '../platform/api/ids';
import { jsonRows } from '../platform/database/transaction/json-rows';
import { EXACT_NOW, NOW } from '../platform/database/time';
import type { NewEvent } from './event-types';

/** SQL for the id of a new event. Of the events of one session, the later one has the greater id. */
export const EVENT_ID = eventIdAt(EXACT_NOW);

/** The statement that records events, each in its workspace. It has to run in the transaction of what happened. */
export function outboxInsert(events: (NewEvent & { workspace_id: string })[]): QueryConfig {
  const rows = events.map((event) => ({
    ...event,
    flow_session_ids: 'flow_session_id' in event ? [event.flow_session_id] : null,
  }));
  return {
    name: 'outbox-insert',
    text: `INSERT INTO outbox (workspace_id, id, type, flow_session_ids, data, created_at)
      SELECT workspace_id, ${EVENT_ID}, type, flow_session_ids, data, ${NOW}
      FROM ${jsonRows('$1', 'workspace_id uuid, type text, flow_session_ids uuid[], data jsonb')} AS event
      RETURNING id`,
    values: [JSON.stringify(rows)],
  };
}

/** SQL that records an event for each row of a query: `workspace_id`, `type`, `flow_session_ids` and `created_at`. */
export const recordFrom = (query: string): string => `
  INSERT INTO outbox (workspace_id, id, type, flow_session_ids, created_at)
  SELECT workspace_id, ${EVENT_ID}, type, flow_session_ids, created_at FROM (${query}) AS happened`;

/** Says within the process that something was recorded for webhooks and mails: see `events/`. */
@Injectable()
export class Outbox {
  private readonly signal = new EventEmitter();

  /**
   * Says that events of a workspace were committed, so that they are sent at once. Without it they are sent within a
   * second.
   */
  announce(workspaceId: string): void {
    this.signal.emit('appended', workspaceId);
  }

  onAppended(listener: (workspaceId: string) => void): void {
    this.signal.on('appended', listener);
  }
}
