import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { Workspace } from './workspace.entity';

/** The directory that leads from the code in a session_id to the workspace. A row never changes. */
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
}
