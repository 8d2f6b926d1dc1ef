import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Stands for all flows of the workspace. */
export const ANY_FLOW = '00000000-0000-0000-0000-000000000000';

/**
 * How many sessions that began on a day (UTC) are of a customer who had a session before, the last of them on an earlier day or the
 * same. Customers of a span are its sessions less those whose customer was counted in it already.
 */
@Entity('daily_repeats')
export class DailyRepeat {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'daily_repeats_pkey' })
  workspace_id: string;

  @PrimaryColumn('date', { primaryKeyConstraintName: 'daily_repeats_pkey' })
  day: string;

  /** Of one flow, or `ANY_FLOW`. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'daily_repeats_pkey' })
  flow_id: string;

  /** The day of the session before. */
  @PrimaryColumn('date', { primaryKeyConstraintName: 'daily_repeats_pkey' })
  earlier_day: string;

  /** Sessions; `earlier_day` is that of the customer's session before. */
  @Column('integer')
  sessions: number;

  /** Saved or canceled sessions; the customer's session before that was saved or canceled was saved, on `earlier_day`. */
  @Column('integer')
  saved: number;

  /** The same, where that session was canceled. */
  @Column('integer')
  canceled: number;
}
