import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A customer who is being erased. The row goes with the last of their sessions. */
@Entity('erasures')
export class Erasure {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'erasures_pkey' })
  workspace_id: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'erasures_pkey' })
  customer_id: string;

  /** `erased_customer` of the sessions and outcomes. */
  @Column('uuid')
  stand_in: string;
}
