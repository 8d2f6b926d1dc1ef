import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { Metadata } from '../platform/api/fields/metadata';
import { NUMBER_COLUMN } from '../platform/api/fields/money';
import type { FlowExit } from './flow-exit';
import type { FlowInstall } from './review/button';
import { Workspace } from '../workspaces/workspace.entity';

export const FLOW_STATUSES = ['draft', 'published', 'archived'] as const;
export type FlowStatus = (typeof FLOW_STATUSES)[number];

/** A retention flow, as far as it may change without its sessions noticing. What they depend on is in its versions. */
@Entity('flows')
@ForeignKey(() => Workspace, ['workspace_id'], ['id'], { name: 'flows_workspace_id_fkey' })
@ForeignKey('FlowVersion', ['workspace_id', 'id', 'current_version'], ['workspace_id', 'flow_id', 'version'], {
  name: 'flows_current_version_fkey',
  deferrable: 'INITIALLY DEFERRED',
})
@Unique('flows_key_key', ['workspace_id', 'key'])
// On `OWN_KEY_OF`, which only the migration can say.
@Index('flows_by_own_key', { synchronize: false })
@Check('flows_status_check', `status IN ('draft', 'published', 'archived')`)
@Check('flows_description_check', 'char_length(description) <= 5000')
@Check('flows_estimated_monthly_value_check', 'estimated_monthly_value >= 0')
@Check('flows_notification_email_check', 'char_length(notification_email) <= 254')
export class Flow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'flows_pkey' })
  workspace_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'flows_pkey' })
  id: string;

  /** Its key in configuration documents, if its team has chosen one. Set once: see `OWN_KEY_OF`. */
  @Column('text', { nullable: true })
  key: string | null;

  @Column('text')
  slug: string;

  @Column('text')
  status: FlowStatus;

  /** The newest version, which new sessions begin with. */
  @Column('integer')
  current_version: number;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('numeric', { precision: 12, scale: 2, nullable: true, transformer: NUMBER_COLUMN })
  estimated_monthly_value: number | null;

  @Column('text', { nullable: true })
  notification_email: string | null;

  /** The workspace's own notes, which no customer sees. */
  @Column('jsonb')
  metadata: Metadata;

  /** The page that the law asks for; null if the flow has none. */
  @Column('jsonb', { nullable: true })
  exit: FlowExit | null;

  /** The page with the cancel button; null: nobody said. */
  @Column('jsonb', { nullable: true })
  install: FlowInstall | null;

  @Column('timestamptz', { nullable: true })
  first_published_at: Date | null;

  @Column('timestamptz')
  created_at: Date;

  @Column('timestamptz')
  updated_at: Date;
}
