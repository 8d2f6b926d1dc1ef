import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { Actor } from '../../tenancy/access/actor';
import { ContentChecks, OfferContent } from '../offer-content.entity';
import { Offer } from '../offer.entity';

/** A draft beside what is live. An offer has at most one. */
@Entity('offer_drafts')
@ForeignKey(() => Offer, ['workspace_id', 'offer_id'], ['workspace_id', 'id'], { name: 'offer_drafts_offer_fkey' })
@ContentChecks('offer_drafts')
export class OfferDraft extends OfferContent {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'offer_drafts_pkey' })
  workspace_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'offer_drafts_pkey' })
  offer_id: string;

  /** The version that was live when the draft was begun. */
  @Column('integer')
  based_on_version: number;

  @Column('jsonb')
  updated_by: Actor;

  @Column('timestamptz')
  updated_at: Date;
}
