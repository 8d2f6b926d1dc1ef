import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the sessions of a workspace were searched for abandoned ones. */
@Entity('abandonment_cursors')
export class AbandonmentCursor {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'abandonment_cursors_pkey' })
  workspace_id: string;

  /** Sessions that began at this time or before were searched. */
  @Column('timestamptz')
  searched_until: Date;
}
