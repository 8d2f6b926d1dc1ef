import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type Role } from '../../tenancy/access/role';
import { Workspace } from '../../workspaces/workspace.entity';
import { Person } from '../person.entity';

export const DIGESTS = ['weekly', 'monthly'] as const;
export type Digest = (typeof DIGESTS)[number];

/** A person in a workspace. The directory that leads from who is signed in to their workspaces. */
@Entity('members')
@Index('members_by_person', ['person_id'])
@Index('members_by_digest', ['digest_due_at'], { where: 'digest_due_at IS NOT NULL' })
@ForeignKey(() => Workspace, ['workspace_id'], ['id'], { name: 'members_workspace_id_fkey' })
@ForeignKey(() => Person, ['person_id'], ['id'], { name: 'members_person_id_fkey' })
@Check('members_digest_check', `digest IN ('weekly', 'monthly')`)
@Check('members_role_check', `role IN ('viewer', 'editor', 'owner')`)
@Check('members_role_without_groups_check', `role_without_groups IN ('none', 'viewer', 'editor', 'owner')`)
export class Member {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'members_pkey' })
  workspace_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'members_pkey' })
  person_id: string;

  @Column('text')
  role: Role;

  /**
   * The role without the groups of OpenID Connect; `none`: not in the workspace without them. null: groups gave
   * nothing.
   */
  @Column('text', { nullable: true })
  role_without_groups: Role | 'none' | null;

  /** How often the person gets the report by mail; null: never. */
  @Column('text', { nullable: true })
  digest: Digest | null;

  /** When the next of these mails is tried; null without them. */
  @Column('timestamptz', { nullable: true })
  digest_due_at: Date | null;

  /** When the person joined the workspace. */
  @Column('timestamptz')
  created_at: Date;
}
