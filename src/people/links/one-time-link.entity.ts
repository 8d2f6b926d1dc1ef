import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Person } from '../person.entity';

/** A link to set a new password or, while there is no person, to become the first. Using it deletes it. */
@Entity('one_time_links')
@ForeignKey(() => Person, ['person_id'], ['id'], { name: 'one_time_links_person_id_fkey', onDelete: 'CASCADE' })
export class OneTimeLink {
  /** SHA-256 of the token in the link. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'one_time_links_pkey' })
  hash: Buffer;

  /** Whose password it sets; null: it makes the first person. */
  @Column('uuid', { nullable: true })
  person_id: string | null;

  /**
   * The workspace of the owner who made it, and that owner; it ends with their role. Null: it makes the first person.
   */
  @Column('uuid', { nullable: true })
  workspace_id: string | null;

  @Column('uuid', { nullable: true })
  created_by: string | null;

  /** Whether only a mail has the link: using it proves the address. */
  @Column('boolean', { default: false })
  mailed_only: boolean;

  @Column('timestamptz')
  expires_at: Date;
}
