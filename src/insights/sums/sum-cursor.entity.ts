import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the sums of a workspace are up to date. */
@Entity('sum_cursors')
@Check('sum_cursors_summing_check', '(summing_until IS NULL) = (summed_through IS NULL)')
export class SumCursor {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'sum_cursors_pkey' })
  workspace_id: string;

  /** The sums contain each session as it was at this time. */
  @Column('timestamptz')
  summed_until: Date;

  /** While the next span is added: sessions whose id is at most `summed_through` are contained as they were at this time. */
  @Column('timestamptz', { nullable: true })
  summing_until: Date | null;

  @Column('uuid', { nullable: true })
  summed_through: string | null;
}
