import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { type FlowDefinition } from './flow-definition';
import { Flow } from './flow.entity';

export const FLOW_MODES = ['simple', 'advanced'] as const;
export type FlowMode = (typeof FLOW_MODES)[number];

/** The parts of a flow that a customer sees. */
export interface FlowContent {
  name: string;
  product_name: string;
  cancellation_url: string;
  flow_mode: FlowMode;
  offer_ids: string[];
  definition: FlowDefinition;
}

/** A version of a flow's content. It never changes: sessions stay on the version they began with. */
@Entity('flow_versions')
@ForeignKey(() => Flow, ['workspace_id', 'flow_id'], ['workspace_id', 'id'], { name: 'flow_versions_flow_fkey' })
@Check('flow_versions_name_check', 'char_length(name) BETWEEN 1 AND 200')
@Check('flow_versions_product_name_check', 'char_length(product_name) BETWEEN 1 AND 200')
@Check('flow_versions_cancellation_url_check', 'char_length(cancellation_url) BETWEEN 1 AND 2048')
@Check('flow_versions_flow_mode_check', `flow_mode IN ('simple', 'advanced')`)
export class FlowVersion implements FlowContent {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'flow_versions_pkey' })
  workspace_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'flow_versions_pkey' })
  flow_id: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'flow_versions_pkey' })
  version: number;

  @Column('text')
  name: string;

  @Column('text')
  product_name: string;

  @Column('text')
  cancellation_url: string;

  @Column('text')
  flow_mode: FlowMode;

  /** The offers in the graph, in its order. */
  @Column('uuid', { array: true })
  offer_ids: string[];

  @Column('jsonb')
  definition: FlowDefinition;

  @Column('timestamptz')
  created_at: Date;
}

/** A flow with the content of its current version. */
export type CurrentFlow = Omit<Flow, 'workspace_id' | 'revision' | 'first_published_at'> & FlowContent;
