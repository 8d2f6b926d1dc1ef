import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * What the customers of the sessions that began on a day (UTC) are worth. A customer counts with one session of a span: the last that
 * ended, else the last. So each session adds what it is worth to the row of its own day (`earlier_day` = `day`), and takes away what a
 * session before it, or itself, counted for without it: in the row of the day from which on that one is in the span. The value of a span
 * is the sum of its days' rows whose `earlier_day` is in it. Sessions without a customer, or not worth anything known, are in none.
 */
@Entity('daily_values')
export class DailyValue {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'daily_values_pkey' })
  workspace_id: string;

  @PrimaryColumn('date', { primaryKeyConstraintName: 'daily_values_pkey' })
  day: string;

  /** Of one flow, or `ANY_FLOW`. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'daily_values_pkey' })
  flow_id: string;

  @PrimaryColumn('date', { primaryKeyConstraintName: 'daily_values_pkey' })
  earlier_day: string;

  /** '' for an estimate. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'daily_values_pkey' })
  currency: string;

  @PrimaryColumn('boolean', { primaryKeyConstraintName: 'daily_values_pkey' })
  verified: boolean;

  @Column('integer')
  customers: number;

  /** In the smallest unit of the currency, or in that of the estimate. */
  @Column('numeric')
  at_risk: string;

  /** The part of those who decided to stay. */
  @Column('numeric')
  saved: string;

  /** The part of those who decided to cancel. */
  @Column('numeric')
  canceled: string;
}
