import { applyDecorators } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { Actor } from '../../tenancy/access/actor';
import type { Draws } from '../graph/draws';
import type { HeldAudiences } from '../../conditions/conditions';
import type { FlowDefinition } from '../graph/flow-definition';
import type { SimpleSurvey } from '../graph/simple-definition';
import type { CanceledWords } from '../languages/canceled-words';
import { Flow } from '../flow.entity';

export const FLOW_MODES = ['simple', 'advanced'] as const;
export type FlowMode = (typeof FLOW_MODES)[number];

/**
 * Where a customer goes who has canceled: to the cancellation page at once, or first to a page that says when the
 * subscription ends, if the service ends it and knows that.
 */
export const AFTER_CANCEL = ['go', 'stay'] as const;
export type AfterCancel = (typeof AFTER_CANCEL)[number];

/**
 * The parts of a flow that its sessions depend on, most of which customers see. A change to one of them is a new
 * version.
 */
export class FlowContent {
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

  /** The survey of a simple flow in words of its own; null for the service's, and for an advanced flow. */
  @Column('jsonb', { nullable: true })
  survey: SimpleSurvey | null;

  /** The language of the texts, as a tag in canonical form. */
  @Column('text', { default: 'en' })
  locale: string;

  @Column('jsonb')
  definition: FlowDefinition;

  /** Whether the subscription of a verified customer who cancels is canceled in the billing system. */
  @Column('boolean', { default: false })
  cancel_in_billing: boolean;

  @Column('text', { default: 'go' })
  after_cancel: AfterCancel;

  /** What a customer reads who has canceled, if they stay; '' is the service's own words. */
  @Column('text', { default: '' })
  canceled_title: string;

  @Column('text', { default: '' })
  canceled_body: string;

  /** The words of the end in other languages. */
  @Column('jsonb', { default: {} })
  translations: Record<string, CanceledWords>;
}

/** The CHECKs of a table that has the content of flows. */
export const ContentChecks = (table: string): ClassDecorator =>
  applyDecorators(
    Check(`${table}_name_check`, 'char_length(name) BETWEEN 1 AND 200'),
    Check(`${table}_product_name_check`, 'char_length(product_name) BETWEEN 1 AND 200'),
    Check(`${table}_cancellation_url_check`, 'char_length(cancellation_url) BETWEEN 1 AND 2048'),
    Check(`${table}_flow_mode_check`, `flow_mode IN ('simple', 'advanced')`),
    Check(`${table}_after_cancel_check`, `after_cancel IN ('go', 'stay')`),
  );

/** A version of a flow's content. It never changes: sessions stay on the version they began with. */
@Entity('flow_versions')
@ForeignKey(() => Flow, ['workspace_id', 'flow_id'], ['workspace_id', 'id'], { name: 'flow_versions_flow_fkey' })
@ContentChecks('flow_versions')
@Check('flow_versions_note_check', 'char_length(note) <= 1000')
export class FlowVersion extends FlowContent {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'flow_versions_pkey' })
  workspace_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'flow_versions_pkey' })
  flow_id: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'flow_versions_pkey' })
  version: number;

  /** The audiences that its branches name, as they were when it was published. */
  @Column('jsonb', { default: {} })
  audiences: HeldAudiences;

  /** Which version drew anew last, for each of its splits that ever did. */
  @Column('jsonb', { default: {} })
  draws: Draws;

  /** Why it was published, for the team. */
  @Column('text', { nullable: true })
  note: string | null;

  /** null: the service itself. */
  @Column('jsonb', { nullable: true })
  published_by: Actor | null;

  @Column('timestamptz')
  created_at: Date;
}
