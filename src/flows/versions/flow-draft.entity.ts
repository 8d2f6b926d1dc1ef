import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { Actor } from '../../tenancy/access/actor';
import { ContentChecks, FlowContent, FlowVersion } from './flow-version.entity';

/** A draft beside the live version. Its graph may have faults. A flow has at most one. */
@Entity('flow_drafts')
@ForeignKey(
  () => FlowVersion,
  ['workspace_id', 'flow_id', 'based_on_version'],
  ['workspace_id', 'flow_id', 'version'],
  {
    name: 'flow_drafts_flow_version_fkey',
  },
)
@ContentChecks('flow_drafts')
export class FlowDraft extends FlowContent {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'flow_drafts_pkey' })
  workspace_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'flow_drafts_pkey' })
  flow_id: string;

  /** The version that was live when the draft was begun. */
  @Column('integer')
  based_on_version: number;

  @Column('jsonb')
  updated_by: Actor;

  @Column('timestamptz')
  updated_at: Date;
}
