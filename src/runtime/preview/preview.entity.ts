import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { NOW } from '../../database/time';
import { FlowVersion } from '../../flows/flow-version.entity';
import type { ShownOffer } from '../../offers/offer-content';
import type { Standing, TakenStep } from '../step/next-step';

/** How long previews last. Then they are gone, and deleted within a minute or so. */
export const PREVIEWS_LAST = '24 hours';

/** In SQL: a preview that was created at this time or before is gone. */
export const GONE_BEFORE = `${NOW} - interval '${PREVIEWS_LAST}'`;

/** A walk through a flow, on the version that was current when it began, by the team and not by a customer. */
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

  @Column('jsonb')
  standing: Standing<ShownOffer>;

  /** The steps so far, oldest first, without comments. */
  @Column('jsonb')
  steps: TakenStep<ShownOffer>[];

  @Column('timestamptz')
  created_at: Date;
}
