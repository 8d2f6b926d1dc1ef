import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { Workspace } from '../workspace.entity';

/**
 * The directory that leads from the code in a session_id to the workspace, and what a workspace has. A code never
 * changes.
 */
@Entity('workspace_codes')
@Unique('workspace_codes_workspace_id_key', ['workspace_id'])
@ForeignKey(() => Workspace, ['workspace_id'], ['id'], { name: 'workspace_codes_workspace_id_fkey' })
@Check('workspace_codes_code_check', `code ~ '^[0-9a-f]{8}$'`)
export class WorkspaceCode {
  /** Eight hexadecimal digits, random. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'workspace_codes_pkey' })
  code: string;

  @Column('uuid')
  workspace_id: string;

  /** Archived ones included, as in `flows`. null: not counted yet, as in all four. */
  @Column('int', { nullable: true })
  offers: number | null;

  @Column('int', { nullable: true })
  flows: number | null;

  /** The versions of all flows together. */
  @Column('int', { nullable: true })
  versions: number | null;

  /** The versions of all offers together. */
  @Column('int', { nullable: true })
  offer_versions: number | null;
}
