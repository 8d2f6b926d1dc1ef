import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { Metadata } from '../common/metadata';
import { Workspace } from '../workspaces/workspace.entity';

export const OFFER_TYPES = [
  'discount_percentage',
  'discount_fixed',
  'pause_subscription',
  'trial_extension',
  'plan_change',
  'custom',
] as const;
export type OfferType = (typeof OFFER_TYPES)[number];

export const OFFER_STATUSES = ['active', 'archived'] as const;
export type OfferStatus = (typeof OFFER_STATUSES)[number];

/** How often a customer may accept an offer within a number of days. */
export interface OfferLimit {
  accepted: number;
  within_days: number;
}

/** A reusable alternative to cancelling, shown in any number of flows. */
@Entity('offers')
@ForeignKey(() => Workspace, ['workspace_id'], ['id'], { name: 'offers_workspace_id_fkey' })
@Check('offers_status_check', `status IN ('active', 'archived')`)
@Check('offers_offer_type_check', `offer_type IN (${OFFER_TYPES.map((type) => `'${type}'`).join(', ')})`)
@Check('offers_name_check', 'char_length(name) BETWEEN 1 AND 200')
@Check('offers_value_check', 'char_length(offer_value) <= 200 AND char_length(offer_duration) <= 200')
@Check('offers_heading_check', 'char_length(heading) BETWEEN 1 AND 200')
@Check('offers_body_check', 'char_length(body) <= 5000')
@Check('offers_cta_check', 'char_length(cta_accept) BETWEEN 1 AND 200 AND char_length(cta_decline) BETWEEN 1 AND 200')
@Check('offers_accept_url_check', 'char_length(accept_url) BETWEEN 1 AND 2048')
export class Offer {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'offers_pkey' })
  workspace_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'offers_pkey' })
  id: string;

  @Column('text')
  status: OfferStatus;

  @Column('text')
  name: string;

  @Column('text')
  offer_type: OfferType;

  @Column('text')
  offer_value: string;

  @Column('text')
  offer_duration: string;

  @Column('text')
  heading: string;

  @Column('text')
  body: string;

  @Column('text')
  cta_accept: string;

  @Column('text')
  cta_decline: string;

  /** Where a customer goes who has accepted it. */
  @Column('text', { nullable: true })
  accept_url: string | null;

  /** The workspace's own notes, which no customer sees. */
  @Column('jsonb')
  metadata: Metadata;

  @Column('jsonb', { nullable: true })
  limit: OfferLimit | null;

  @Column('timestamptz')
  created_at: Date;

  @Column('timestamptz')
  updated_at: Date;
}
