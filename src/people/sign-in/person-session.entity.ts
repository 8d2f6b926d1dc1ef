import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Person } from '../person.entity';

/** A session ends when it was not used for some time, and in any case some days after it began. */
export const IDLE_HOURS = 12;
export const SESSION_DAYS = 30;

/** A person who is signed in with a browser. The token in the browser's cookie is not stored. */
@Entity('person_sessions')
@Index('person_sessions_by_person', ['person_id'])
@ForeignKey(() => Person, ['person_id'], ['id'], { name: 'person_sessions_person_id_fkey', onDelete: 'CASCADE' })
export class PersonSession {
  /** SHA-256 of the token. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'person_sessions_pkey' })
  hash: Buffer;

  @Column('uuid')
  person_id: string;

  @Column('timestamptz')
  created_at: Date;

  /** To the minute. */
  @Column('timestamptz')
  last_used_at: Date;
}
