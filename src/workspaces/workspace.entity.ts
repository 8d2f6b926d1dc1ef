import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A tenant: its branding, its session limit and the usage counter that session starts lock and increment. */
@Entity('workspaces')
@Check('workspaces_name_check', 'char_length(name) BETWEEN 1 AND 200')
@Check('workspaces_session_limit_check', 'session_limit >= 0')
@Check('workspaces_sessions_used_check', 'sessions_used >= 0')
@Check('workspaces_logo_url_check', 'char_length(logo_url) <= 2048')
export class Workspace {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'workspaces_pkey' })
  id: string;

  @Column('text')
  name: string;

  /** Sessions a calendar month (UTC). */
  @Column('integer')
  session_limit: number;

  /** The first instant of the month that `sessions_used` counts; read both through `usageAt`. */
  @Column('timestamptz')
  usage_period: Date;

  @Column('integer')
  sessions_used: number;

  @Column('text')
  primary_color: string;

  @Column('text')
  logo_url: string;

  /** Origins whose pages may start sessions; empty: all. */
  @Column('text', { array: true })
  allowed_origins: string[];

  @Column('timestamptz')
  created_at: Date;

  @Column('timestamptz')
  updated_at: Date;
}
