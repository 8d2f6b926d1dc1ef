import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { type Role } from '../../tenancy/access/role';
import { Workspace } from '../../workspaces/workspace.entity';

/** An invitation is good for so long. */
export const INVITATION_DAYS = 7;
/** The most people and open invitations of a workspace together. */
export const MAX_PEOPLE = 500;

/** Somebody who may join a workspace. Accepting it deletes it. Its hash leads from a link to the workspace. */
@Entity('invitations')
@Unique('invitations_hash_key', ['hash'])
@Unique('invitations_email_key', ['workspace_id', 'email'])
@ForeignKey(() => Workspace, ['workspace_id'], ['id'], { name: 'invitations_workspace_id_fkey' })
@Check('invitations_role_check', `role IN ('viewer', 'editor', 'owner')`)
export class Invitation {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'invitations_pkey' })
  workspace_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'invitations_pkey' })
  id: string;

  /** SHA-256 of the token in the link. */
  @Column('bytea')
  hash: Buffer;

  /** In lower case. */
  @Column('text')
  email: string;

  @Column('text')
  role: Role;

  /** The owner who made it, with whose role it ends. Null: the operator. */
  @Column('uuid', { nullable: true })
  created_by: string | null;

  /** Whether only a mail has the link: accepting it proves the address. */
  @Column('boolean', { default: false })
  mailed_only: boolean;

  @Column('timestamptz')
  created_at: Date;

  @Column('timestamptz')
  expires_at: Date;
}
