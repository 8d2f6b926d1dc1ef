import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import type { ConditionGroup } from '../../conditions/condition.dto';
import type { SubscribableType } from '../../outbox/event-types';
import { Workspace } from '../../workspaces/workspace.entity';

export const WEBHOOK_STATUSES = ['enabled', 'disabled'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

export const WEBHOOK_FORMATS = ['standard', 'slack', 'segment'] as const;
/** What reads the events: any endpoint (Standard Webhooks 1.0), a channel of Slack, or a source of Segment. */
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** The most that a workspace may have. */
export const MAX_WEBHOOKS = 10;

/** A webhook gets one attempt at a time, with pauses, after this many failures in a row. */
export const MANY_FAILURES = 20;

/** An endpoint of an integrator, which events are sent to. */
@Entity('webhooks')
@ForeignKey(() => Workspace, ['workspace_id'], ['id'], { name: 'webhooks_workspace_id_fkey' })
@Unique('webhooks_key_key', ['workspace_id', 'key'])
@Check('webhooks_status_check', `status IN ('enabled', 'disabled')`)
@Check('webhooks_format_check', `format IN ('standard', 'slack', 'segment')`)
@Check('webhooks_write_key_check', `(format = 'segment') = (write_key IS NOT NULL)`)
@Check('webhooks_url_check', 'char_length(url) BETWEEN 1 AND 2048')
@Check('webhooks_description_check', 'char_length(description) <= 5000')
export class Webhook {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhooks_pkey' })
  workspace_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhooks_pkey' })
  id: string;

  /** Its key in configuration documents, if its team has chosen one. Set once: see `OWN_KEY_OF`. */
  @Column('text', { nullable: true })
  key: string | null;

  /** What reads it. */
  @Column('text', { default: 'standard' })
  format: WebhookFormat;

  @Column('text')
  url: string;

  /** The key of a source of Segment. It may send to it, so it is not shown again. null in other formats. */
  @Column('text', { nullable: true })
  write_key: string | null;

  @Column('text')
  description: string;

  /** The types of events; if empty, all but `session.started`. */
  @Column('text', { array: true })
  event_types: SubscribableType[];

  /** What has to hold of the session of an event; null: nothing. It names no audience. */
  @Column('jsonb', { nullable: true })
  when: ConditionGroup | null;

  /** Whether it also gets what previews send, of these types. */
  @Column('boolean', { default: false })
  test_events: boolean;

  @Column('text')
  status: WebhookStatus;

  /** Why the service disabled it; null if it did not. */
  @Column('text', { nullable: true })
  disabled_reason: string | null;

  /** Signs what is sent, so it has to be stored as it is. */
  @Column('text')
  secret: string;

  /** The secret before the last rotation. It signs, too, until it expires. */
  @Column('text', { nullable: true })
  previous_secret: string | null;

  @Column('timestamptz', { nullable: true })
  previous_secret_expires_at: Date | null;

  /** Attempts that failed since the last one that succeeded. */
  @Column('integer')
  failures: number;

  /** The time of the first of them. */
  @Column('timestamptz', { nullable: true })
  failing_since: Date | null;

  /** When the first attempt was put off because the receiver limits, since the last one that succeeded. */
  @Column('timestamptz', { nullable: true })
  paused_since: Date | null;

  /**
   * When the next attempt may be made: of a receiver that limits, of one that keeps failing, and at the pace of its
   * format.
   */
  @Column('timestamptz', { nullable: true })
  next_probe_at: Date | null;

  @Column('timestamptz')
  created_at: Date;

  @Column('timestamptz')
  updated_at: Date;
}
