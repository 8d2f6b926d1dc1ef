import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Workspace } from '../../workspaces/workspace.entity';

/** Somebody whom an owner has taken out of a workspace: their groups at the OpenID provider don't bring them back. */
@Entity('removed_members')
@ForeignKey(() => Workspace, ['workspace_id'], ['id'], { name: 'removed_members_workspace_id_fkey' })
export class RemovedMember {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'removed_members_pkey' })
  workspace_id: string;

  /** See `Person.openid_subject`. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'removed_members_pkey' })
  openid_subject: string;

  @Column('timestamptz')
  created_at: Date;
}
