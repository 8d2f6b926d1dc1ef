import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A customer who is being erased. The row is deleted once nothing that names them is left. */
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
