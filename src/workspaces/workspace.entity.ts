import { Check, Column, Entity, PrimaryColumn, VirtualColumn } from 'typeorm';
import { COUNTED } from './counters/usage';
import { type Brand, NO_BRAND } from './brand';
import type { Jurisdiction } from './jurisdictions';
import type { OfferLimit } from './offer-limit';

/** A tenant: its branding, its session limit, and the usage counter that starts of sessions lock and increment. */
@Entity('workspaces')
@Check('workspaces_name_check', 'char_length(name) BETWEEN 1 AND 200')
@Check('workspaces_session_limit_check', 'session_limit >= 0')
@Check('workspaces_sessions_used_check', 'sessions_used >= 0')
@Check('workspaces_test_check', 'test OR (session_limit IS NOT NULL AND live_workspace_id IS NULL)')
@Check('workspaces_logo_url_check', 'char_length(logo_url) <= 2048')
export class Workspace {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'workspaces_pkey' })
  id: string;

  @Column('text')
  name: string;

  /** Whether it is for tests: its time can pass, and it can be deleted. It never changes. */
  @Column('boolean', { default: false })
  test: boolean;

  /** The live workspace whose owners made this test workspace; null if the operator did. */
  @Column('uuid', { nullable: true })
  live_workspace_id: string | null;

  /** Sessions per calendar month (UTC); null: any number, in a test workspace. */
  @Column('integer', { nullable: true })
  session_limit: number | null;

  /** The first instant of the month of `sessions_used`, which may be over: see `period` and `sessions_in_period`. */
  @Column('timestamptz')
  usage_period: Date;

  @Column('integer')
  sessions_used: number;

  /** Whether a webhook asks for `session.started`. Otherwise starts record no events. */
  @Column('boolean')
  starts_are_events: boolean;

  /** The first instant of the current month. */
  @VirtualColumn('timestamptz', { query: () => COUNTED.period })
  readonly period: Date;

  @VirtualColumn('integer', { query: () => COUNTED.sessions })
  readonly sessions_in_period: number;

  @Column('text')
  primary_color: string;

  @Column('text')
  logo_url: string;

  /** What else customers' pages look like. */
  @Column('jsonb', { default: NO_BRAND })
  brand: Brand;

  /** Origins whose pages may start sessions; if empty, all. */
  @Column('text', { array: true })
  allowed_origins: string[];

  /** Where its customers live: by these rules its flows are reviewed. */
  @Column('text', { array: true, default: [] })
  jurisdictions: Jurisdiction[];

  /** Hosts from which pages and offers may load pictures, in addition to uploaded ones. */
  @Column('text', { array: true, default: [] })
  image_hosts: string[];

  /** Whether a start has to name its customer by a token that a key of the workspace signed. */
  @Column('boolean')
  require_customer_token: boolean;

  /** How often a customer may accept any offer; null: as often as the offers' own limits allow. */
  @Column('jsonb', { nullable: true })
  offer_limit: OfferLimit | null;

  /** How many days before the effect of an accepted offer ends the workspace is told; null: never. */
  @Column('smallint', { nullable: true, default: 3 })
  ending_notice_days: number | null;

  @Column('timestamptz')
  created_at: Date;

  @Column('timestamptz')
  updated_at: Date;
}
