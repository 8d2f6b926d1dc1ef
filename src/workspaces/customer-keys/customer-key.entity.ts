import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Workspace } from '../workspace.entity';

export const CUSTOMER_KEY_ALGORITHMS = ['HS256', 'EdDSA'] as const;
/** An algorithm of JSON Web Signatures (RFC 7518, 3.1; RFC 8037, 3.1). */
export type CustomerKeyAlgorithm = (typeof CUSTOMER_KEY_ALGORITHMS)[number];

/** The most that a workspace may have. */
export const MAX_CUSTOMER_KEYS = 10;

/** An Ed25519 public key as a JSON Web Key (RFC 8037, 2). */
export interface Ed25519PublicKey {
  kty: 'OKP';
  crv: 'Ed25519';
  /** The 32 bytes of the key in base64url. */
  x: string;
}

/**
 * A key of a workspace's backend, which signs customer tokens with it. A key is created and deleted, but never changed.
 */
@Entity('customer_keys')
@ForeignKey(() => Workspace, ['workspace_id'], ['id'], { name: 'customer_keys_workspace_id_fkey' })
@Check('customer_keys_name_check', 'char_length(name) BETWEEN 1 AND 200')
@Check(
  'customer_keys_algorithm_check',
  `(algorithm = 'HS256' AND secret IS NOT NULL AND public_key IS NULL)
    OR (algorithm = 'EdDSA' AND secret IS NULL AND public_key IS NOT NULL)`,
)
export class CustomerKey {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'customer_keys_pkey' })
  workspace_id: string;

  /** The `kid` of the tokens that it signs. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'customer_keys_pkey' })
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  algorithm: CustomerKeyAlgorithm;

  /** The secret of HS256. It verifies what it signs, so it has to be stored as it is. */
  @Column('text', { nullable: true })
  secret: string | null;

  /** The public key of EdDSA. */
  @Column('jsonb', { nullable: true })
  public_key: Ed25519PublicKey | null;

  @Column('timestamptz')
  created_at: Date;
}
