import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** How long a key is remembered. Then it counts as new, and is deleted. */
export const KEYS_LAST = '24 hours';

/** A creation that was sent with an Idempotency-Key, and its answer, which is encrypted with that key. */
@Entity('idempotency_keys')
@Index('idempotency_keys_by_age', ['created_at'])
export class IdempotencyKey {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'idempotency_keys_pkey' })
  workspace_id: string;

  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'idempotency_keys_pkey' })
  hash: Buffer;

  /** SHA-256 of the request that the key came with. */
  @Column('bytea')
  request_hash: Buffer;

  /** Null while the creation is under way. */
  @Column('bytea', { nullable: true })
  answer: Buffer | null;

  @Column('timestamptz')
  created_at: Date;
}
