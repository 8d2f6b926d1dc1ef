import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique, VirtualColumn } from 'typeorm';
import { NOW } from '../database/time';
import { Workspace } from './workspace.entity';

export const API_KEY_ACCESS = ['read', 'write'] as const;
export type ApiKeyAccess = (typeof API_KEY_ACCESS)[number];

/** In SQL: whether the time of the last use is recent enough that a use now need not be stored. */
export const isRecent = (last_used_at: string): string => `(${last_used_at} > ${NOW} - interval '1 minute') IS TRUE`;

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

  @VirtualColumn('boolean', { query: (key) => isRecent(`${key}.last_used_at`) })
  readonly used_recently: boolean;

  @Column('timestamptz', { nullable: true })
  expires_at: Date | null;

  @Column('timestamptz', { nullable: true })
  revoked_at: Date | null;
}
