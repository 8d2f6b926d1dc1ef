import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { NOW } from '../../platform/database/time';
import type { PreviewData } from '../../outbox/event-types';
import type { HeldAudiences } from '../../conditions/conditions';
import type { Facts } from '../../conditions/facts';
import type { ConditionValue } from '../../conditions/condition.dto';
import { type FlowContent, FlowVersion } from '../../flows/versions/flow-version.entity';
import type { AnswerDto } from '../answers';
import type { FlowSession } from '../../sessions/flow-session.entity';
import type { Eligibilities } from '../../sessions/eligibility';
import type { Position, TakenStep } from '../step/next-step';

/** How long previews last. Then they are gone, and deleted within a minute or so. */
export const PREVIEWS_LAST = '24 hours';

/** SQL for the latest creation of previews that are gone. */
export const GONE_BEFORE = `${NOW} - interval '${PREVIEWS_LAST}'`;

/**
 * A walk through a flow, on the version or the draft that was current when it began, by the team and not by a customer.
 */
@Entity('previews')
@ForeignKey(() => FlowVersion, ['workspace_id', 'flow_id', 'flow_version'], ['workspace_id', 'flow_id', 'version'], {
  name: 'previews_flow_version_fkey',
})
@Index('previews_by_age', ['created_at'])
export class Preview {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'previews_pkey' })
  workspace_id: string;

  /** The credential that drives the preview: see `newPreviewId`. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'previews_pkey' })
  session_id: string;

  @Column('uuid')
  flow_id: string;

  @Column('integer')
  flow_version: number;

  /** The draft as it was when the preview began; null if it is of the version. */
  @Column('jsonb', { nullable: true })
  draft: (FlowContent & { audiences: HeldAudiences }) | null;

  @Column('text')
  locale: string;

  /** The attributes of its customer. */
  @Column('jsonb')
  attributes: Record<string, ConditionValue>;

  /** What is known of its customer besides. */
  @Column('jsonb', { default: {} })
  facts: Facts;

  /** The arms that the walk takes, by the key of their split. At other splits, one is drawn. */
  @Column('jsonb')
  arms: Record<string, string>;

  /** What the billing system foresaw of the flow's offers; null if the walk is as no subscription. */
  @Column('jsonb', { nullable: true })
  eligibility: Eligibilities | null;

  @Column('jsonb')
  position: Position;

  /** The steps so far, oldest first, without comments. */
  @Column('jsonb')
  steps: TakenStep[];

  /** The session in its events, and when it started; null if none are sent. */
  @Column('jsonb', { nullable: true })
  test_session: { id: string; started_at: string } | null;

  @Column('timestamptz')
  created_at: Date;
}

/** The data of a preview's events: an anonymous stand-in session. */
export interface ToldPreview extends PreviewData {
  session: Pick<FlowSession, 'id' | 'flow_id' | 'flow_version' | 'locale' | 'status' | 'accepted_offer'> & {
    flow_name: string;
    started_at: string;
  };
  answers: AnswerDto[];
}
