import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Workspace } from '../workspaces/workspace.entity';
import { ContentChecks, OfferContent } from './offer-content.entity';

export const OFFER_STATUSES = ['active', 'archived'] as const;
export type OfferStatus = (typeof OFFER_STATUSES)[number];

/**
 * A reusable alternative to cancelling, shown in any number of flows. What is live of it is also its current version.
 */
@Entity('offers')
@ForeignKey(() => Workspace, ['workspace_id'], ['id'], { name: 'offers_workspace_id_fkey' })
@Unique('offers_key_key', ['workspace_id', 'key'])
// On `OWN_KEY_OF`, which only the migration can say.
@Index('offers_by_own_key', { synchronize: false })
@Check('offers_status_check', `status IN ('active', 'archived')`)
@ContentChecks('offers')
export class Offer extends OfferContent {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'offers_pkey' })
  workspace_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'offers_pkey' })
  id: string;

  /** Its key in configuration documents, if its team has chosen one. Set once: see `OWN_KEY_OF`. */
  @Column('text', { nullable: true })
  key: string | null;

  @Column('text')
  status: OfferStatus;

  @Column('integer', { default: 1 })
  current_version: number;

  @Column('timestamptz')
  created_at: Date;

  @Column('timestamptz')
  updated_at: Date;
}
