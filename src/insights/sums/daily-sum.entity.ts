import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * What the sessions of a sum have in common: `session`: nothing more; `answer`: the option (`value`) that was answered to a
 * survey (`node_key`); `offer`: that the offer with the id in `value` was presented; `withheld`: that it was passed over or refused because of its
 * limit; `way`: the path or the arm (`value`) that
 * was taken at a branch or a split (`node_key`); `arm`: like `way`, but only sessions with a customer; `step`: any other action (`value`) than `answer` that was taken at the node;
 * `stopped`: the node that the session is at, or was abandoned at.
 */
export const SUM_KINDS = ['session', 'answer', 'offer', 'withheld', 'way', 'arm', 'step', 'stopped'] as const;
export type SumKind = (typeof SUM_KINDS)[number];

/** How many sessions that began on a day (UTC), on a version of a flow, have something in common, and how they ended. */
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

  /** '' where there is none. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'daily_sums_pkey' })
  node_key: string;

  /** '' where there is none. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'daily_sums_pkey' })
  value: string;

  @Column('integer')
  sessions: number;

  /** Those that accepted an offer; of an offer, those that accepted it. */
  @Column('integer')
  accepted: number;

  /** Those that kept the subscription without an offer. */
  @Column('integer')
  kept: number;

  @Column('integer')
  canceled: number;

  /** The sessions of the day that began before are in the sum. */
  @Column('timestamptz')
  until: Date;
}

/** Stands for all flows of the workspace. */
export const ANY_FLOW = '00000000-0000-0000-0000-000000000000';

/**
 * How many sessions that began on a day (UTC) are of a customer who had a session before, the last of them on an earlier day or the
 * same. Customers of a span are its sessions less those whose customer was counted in it already.
 *
 * With an arm of a split, the same for the customers who came there: they are the sessions that came less what is here. What a customer
 * decides in a session that did not come is here too, as less than nothing.
 */
@Entity('daily_repeats')
export class DailyRepeat {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'daily_repeats_pkey' })
  workspace_id: string;

  /** The key of a split, or ''. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'daily_repeats_pkey' })
  node_key: string;

  @PrimaryColumn('date', { primaryKeyConstraintName: 'daily_repeats_pkey' })
  day: string;

  /** Of one flow, or `ANY_FLOW`. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'daily_repeats_pkey' })
  flow_id: string;

  /** With an arm, that of the session; else 0. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'daily_repeats_pkey' })
  flow_version: number;

  /** The name of an arm, or ''. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'daily_repeats_pkey' })
  value: string;

  /** The day of the session before. The row counts in spans that begin on this day or before. */
  @PrimaryColumn('date', { primaryKeyConstraintName: 'daily_repeats_pkey' })
  earlier_day: string;

  /** With an arm, that of the session before; else 0. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'daily_repeats_pkey' })
  earlier_version: number;

  /** Sessions; `earlier_day` is that of the customer's session before. */
  @Column('integer')
  sessions: number;

  /** Ended sessions whose customer's last ended session before was saved, on `earlier_day`. */
  @Column('integer')
  saved: number;

  /** Those of them where that session accepted an offer. */
  @Column('integer')
  saved_by_offer: number;

  /** As `saved`, where that session was canceled. */
  @Column('integer')
  canceled: number;
}
