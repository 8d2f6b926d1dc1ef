import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Json } from '../platform/common/json';
import type { ShownNode } from '../flows/graph/flow-definition';
import { SHOWN_NODE_TYPES } from '../flows/graph/graph-limits';
import type { ShownOffer } from '../offers/shown-offer';
import { FlowSession } from './flow-session.entity';
import type { WithheldReason } from './eligibility';

export const STEP_ACTIONS = ['continue', 'answer', 'accept', 'decline', 'confirm', 'keep', 'cancel'] as const;
export type StepAction = (typeof STEP_ACTIONS)[number];

/** The recorded action of a step. `refused`: the customer had accepted the offer as often as its limit allows. */
export const RECORDED_ACTIONS = [...STEP_ACTIONS, 'refused'] as const;
export type RecordedAction = (typeof RECORDED_ACTIONS)[number];

/** An action of a customer at a node. The steps of a session are numbered from 1 without a gap. */
@Entity('session_steps')
@ForeignKey(() => FlowSession, ['workspace_id', 'flow_session_id'], ['workspace_id', 'id'], {
  name: 'session_steps_session_fkey',
})
@Index('session_steps_by_comment', ['workspace_id', 'flow_session_id', 'position'], { where: 'comment IS NOT NULL' })
@Index('session_steps_words', { synchronize: false })
@Index('session_steps_without_words', ['workspace_id', 'flow_session_id', 'position'], {
  where: '(comment IS NULL) <> (words IS NULL)',
})
@Check('session_steps_position_check', 'position >= 1')
@Check('session_steps_node_type_check', `node_type IN (${SHOWN_NODE_TYPES.map((type) => `'${type}'`).join(', ')})`)
@Check('session_steps_comment_check', 'char_length(comment) <= 5000')
export class SessionStep {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'session_steps_pkey' })
  workspace_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'session_steps_pkey' })
  flow_session_id: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'session_steps_pkey' })
  position: number;

  @Column('text')
  node_key: string;

  @Column('text')
  node_type: ShownNode['type'];

  @Column('text')
  action: RecordedAction;

  /** The option that was answered; of several, the one that the comment answers. */
  @Column('text', { nullable: true })
  option: string | null;

  /** All that were answered, in the survey's order, where it takes several. */
  @Column('jsonb', { nullable: true })
  options: string[] | null;

  @Column('text', { nullable: true })
  comment: string | null;

  /** Words to find the comment by: see `wordsOf`. Null without a comment, or if an older version stored it. */
  @Column('tsvector', { nullable: true, select: false })
  words?: string | null;

  /** How long the accepted pause lasts, where the customer has chosen it. */
  @Column('smallint', { nullable: true })
  months: number | null;

  /** What the site's own component gave, at a node of type `custom`. Nothing here reads what is in it but branches. */
  @Column('jsonb', { nullable: true })
  result: Json | null;

  /** The offer that was presented at the node, as it was shown. */
  @Column('jsonb', { nullable: true })
  offer: ShownOffer | null;

  /**
   * The path through the silent nodes between this node and the next, by the key of the silent node; null if there were
   * none. An arm of a split has a name, a condition of a branch its index from 0, or `next`.
   */
  @Column('jsonb', { nullable: true })
  ways: Record<string, string> | null;

  /** The ids of the offers that were passed over before the next node, or refused at this one. */
  @Column('jsonb', { nullable: true })
  withheld: string[] | null;

  /** Why, by these ids. Null where an older version has stored the step: because of their limits. */
  @Column('jsonb', { nullable: true })
  withheld_reasons: Record<string, WithheldReason> | null;

  @Column('timestamptz')
  created_at: Date;
}
