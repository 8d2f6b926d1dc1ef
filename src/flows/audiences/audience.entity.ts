import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { ConditionGroup } from '../../conditions/condition.dto';

/** Customers who have something in common, by conditions that branches of several flows go by. */
@Entity('audiences')
@Unique('audiences_key_key', ['workspace_id', 'key'])
@Check('audiences_name_check', 'char_length(name) BETWEEN 1 AND 200')
export class Audience {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'audiences_pkey' })
  workspace_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'audiences_pkey' })
  id: string;

  /** What configuration documents call it; null if none was chosen. */
  @Column('text', { nullable: true })
  key: string | null;

  @Column('text')
  name: string;

  /** The conditions as they are now. Versions of flows hold those of when they were published. */
  @Column('jsonb')
  when: ConditionGroup;

  @Column('timestamptz')
  created_at: Date;

  @Column('timestamptz')
  updated_at: Date;
}
