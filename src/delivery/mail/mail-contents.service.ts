import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Event } from '../../events/event.entity';
import type { SessionEventData } from '../event-body';
import { EventBodies } from '../event-bodies.service';
import { type MailContent, sessionContent, type SummaryCount, summaryContent } from './mail-content';

/** What mails say, read when they are sent: what was erased until then is not in them. */
@Injectable()
export class MailContents {
  constructor(
    private readonly dataSource: DataSource,
    private readonly bodies: EventBodies,
  ) {}

  /** About the session of an event. Undefined if the session is gone. */
  async ofEvent(workspaceId: string, flowId: string, eventId: string): Promise<MailContent | undefined> {
    const event = await this.dataSource.manager.findOneBy(Event, { workspace_id: workspaceId, id: eventId });
    const [body] = event ? await this.bodies.of(workspaceId, [event]) : [];
    return (
      body && sessionContent(await this.nameOf(workspaceId, flowId), body.timestamp, body.data as SessionEventData)
    );
  }

  /** About all sessions in the summary that a notification carries. */
  async ofSummary(workspaceId: string, flowId: string, carrier: string): Promise<MailContent> {
    const counts = await this.countsOf(workspaceId, carrier);
    return summaryContent(await this.nameOf(workspaceId, flowId), counts);
  }

  /** The name of a flow as it is now. */
  private async nameOf(workspaceId: string, flowId: string): Promise<string> {
    const [{ name }] = await this.dataSource.query<{ name: string }[]>(
      `SELECT name FROM flows AS flow JOIN flow_versions AS content ON content.workspace_id = flow.workspace_id
         AND content.flow_id = flow.id AND content.version = flow.current_version
       WHERE flow.workspace_id = $1 AND flow.id = $2`,
      [workspaceId, flowId],
    );
    return name;
  }

  /** The sessions of a summary by their offer, or the first reason that was given. */
  private countsOf(workspaceId: string, carrier: string): Promise<SummaryCount[]> {
    return this.dataSource.query(
      `SELECT ended.type, ended.sessions, ended.first, ended.last,
         coalesce(offer, jsonb_path_query_first(content.definition,
           '$.nodes[*] ? (@.key == $node).config.options[*] ? (@.value == $option).label',
           jsonb_build_object('node', node_key, 'option', option)) #>> '{}') AS label
       FROM (
         SELECT event.type, session.flow_id, session.flow_version, answer.node_key, answer.option,
           session.accepted_offer ->> 'name' AS offer, count(*)::integer AS sessions,
           min(event.created_at) AS first, max(event.created_at) AS last
         FROM notifications AS notification
         JOIN events AS event ON event.workspace_id = $1 AND event.id = notification.event_id
         LEFT JOIN flow_sessions AS session ON session.workspace_id = $1 AND session.id = event.flow_session_id
         LEFT JOIN LATERAL (
           SELECT node_key, option FROM session_steps
           WHERE workspace_id = $1 AND flow_session_id = session.id AND action = 'answer' ORDER BY position LIMIT 1
         ) AS answer ON event.type = 'session.canceled'
         WHERE notification.workspace_id = $1 AND notification.summary_id = $2
         GROUP BY 1, 2, 3, 4, 5, 6
       ) AS ended
       LEFT JOIN flow_versions AS content ON content.workspace_id = $1
         AND content.flow_id = ended.flow_id AND content.version = ended.flow_version`,
      [workspaceId, carrier],
    );
  }
}
