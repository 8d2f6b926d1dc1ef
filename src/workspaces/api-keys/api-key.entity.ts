import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { Workspace } from '../workspace.entity';

export const API_KEY_ACCESS = ['read', 'write'] as const;
/** The most keys of a workspace that may be used. Revoked and expired ones don't count. */
export const MAX_API_KEYS = 50;
export type ApiKeyAccess = (typeof API_KEY_ACCESS)[number];

/** A key of a workspace. Its hash leads from a request to the workspace; the secret itself is not stored. */
@Entity('api_keys')
@Unique('api_keys_hash_key', ['hash'])
@ForeignKey(() => Workspace, ['workspace_id'], ['id'], { name: 'api_keys_workspace_id_fkey' })
@Check('api_keys_name_check', 'char_length(name) BETWEEN 1 AND 200')
@Check('api_keys_access_check', `access IN ('read', 'write')`)
export class ApiKey {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'api_keys_pkey' })
  workspace_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'api_keys_pkey' })
  id: string;

  /** SHA-256 of the key. */
  @Column('bytea')
  hash: Buffer;

  @Column('text')
  name: string;

  @Column('text')
  access: ApiKeyAccess;

  /** The first characters of the key, for people to recognize it. */
  @Column('text')
  prefix: string;

  @Column('text')
  last_four: string;

  @Column('timestamptz')
  created_at: Date;

  /** To the minute. */
  @Column('timestamptz', { nullable: true })
  last_used_at: Date | null;

  @Column('timestamptz', { nullable: true })
  expires_at: Date | null;

  @Column('timestamptz', { nullable: true })
  revoked_at: Date | null;
}
