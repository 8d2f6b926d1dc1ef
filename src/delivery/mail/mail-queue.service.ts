import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Config } from '../../config';
import { jsonRows } from '../../database/json-rows';
import { NOW } from '../../database/time';
import type { Event } from '../../events/event.entity';
import type { EventType } from '../../events/event-types';

const MAILED: EventType[] = ['session.saved', 'session.canceled'];

/** Decides which events are told by mail. */
@Injectable()
export class MailQueue {
  private readonly isOn: boolean;

  constructor({ mail }: Config) {
    this.isOn = mail !== undefined;
  }

  /**
   * Queues mails about new events, in the transaction that inserts them: about each saved and canceled session whose flow has
   * an address. Nothing is queued if there is no mail server.
   */
  async enqueue(
    workspaceId: string,
    events: Pick<Event, 'id' | 'type' | 'flow_session_id'>[],
    manager: EntityManager,
  ): Promise<void> {
    const ended = events.filter(({ type }) => MAILED.includes(type));
    if (!this.isOn || ended.length === 0) return;
    await manager.query(
      `INSERT INTO notifications
         (workspace_id, event_id, flow_id, status, attempts, next_attempt_at, created_at, updated_at)
       SELECT $1, event.id, flow.id, 'pending', 0, ${NOW}, ${NOW}, ${NOW}
       FROM ${jsonRows('$2', 'id uuid, flow_session_id uuid')} AS event
       JOIN flow_sessions AS session ON session.workspace_id = $1 AND session.id = event.flow_session_id
       JOIN flows AS flow ON flow.workspace_id = $1 AND flow.id = session.flow_id
       WHERE flow.notification_email IS NOT NULL`,
      [workspaceId, JSON.stringify(ended.map(({ id, flow_session_id }) => ({ id, flow_session_id })))],
    );
  }
}
