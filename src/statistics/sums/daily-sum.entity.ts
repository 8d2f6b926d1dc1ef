import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The kind of a sum names the property that its sessions share:
 *
 * - `session`: nothing more
 * - `anonymous`: they have no customer
 * - `answer`: the option (`value`) that was answered to a survey (`node_key`), each of several
 * - `offer`: the offer with the id in `value` was presented
 * - `withheld`: it was passed over or refused; `node_key` is the reason. Sums of older versions have none: it was the
 *   limit
 * - `way`: the path or the arm (`value`) that was taken at a branch or a split (`node_key`)
 * - `arm`: like `way`, but only of splits, and only sessions with a customer
 * - `step`: the action (`value`) that was taken at the node. An `answer` is one only where the survey takes several
 * - `stopped`: the node that the session is at, or was abandoned at
 */
export const SUM_KINDS = [
  'session',
  'anonymous',
  'answer',
  'offer',
  'withheld',
  'way',
  'arm',
  'step',
  'stopped',
] as const;
export type SumKind = (typeof SUM_KINDS)[number];

/**
 * How many sessions that began on a day (UTC), on a version of a flow, have something in common, and how they ended.
 */
@Entity('daily_sums')
@Check('daily_sums_kind_check', `kind IN (${SUM_KINDS.map((kind) => `'${kind}'`).join(', ')})`)
export class DailySum {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'daily_sums_pkey' })
  workspace_id: string;

  @PrimaryColumn('date', { primaryKeyConstraintName: 'daily_sums_pkey' })
  day: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'daily_sums_pkey' })
  flow_id: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'daily_sums_pkey' })
  flow_version: number;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'daily_sums_pkey' })
  kind: SumKind;

  /** The node, or the reason of `withheld`; '' where there is none. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'daily_sums_pkey' })
  node_key: string;

  /** '' where there is none. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'daily_sums_pkey' })
  value: string;

  @Column('integer')
  sessions: number;

  /** Sessions that accepted an offer; in a row of an offer, this one. */
  @Column('integer')
  accepted: number;

  /** Sessions that kept the subscription without an offer. */
  @Column('integer')
  kept: number;

  @Column('integer')
  canceled: number;

  /** Sessions that accepted an offer which is no save; in a row of an offer, this one. */
  @Column('integer', { default: 0 })
  contacted: number;

  /** The sums of a day have the sessions that began before the latest `until` of its rows. */
  @Column('timestamptz')
  until: Date;
}
