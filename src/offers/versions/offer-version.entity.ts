import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { Actor } from '../../tenancy/access/actor';
import { ContentChecks, OfferContent } from '../offer-content.entity';
import { Offer } from '../offer.entity';

/** A version of an offer. It never changes. No session needs it: a session keeps the offer as it was shown. */
@Entity('offer_versions')
@ForeignKey(() => Offer, ['workspace_id', 'offer_id'], ['workspace_id', 'id'], { name: 'offer_versions_offer_fkey' })
@ContentChecks('offer_versions')
@Check('offer_versions_note_check', 'char_length(note) <= 1000')
export class OfferVersion extends OfferContent {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'offer_versions_pkey' })
  workspace_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'offer_versions_pkey' })
  offer_id: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'offer_versions_pkey' })
  version: number;

  /** Why it was published, for the team. */
  @Column('text', { nullable: true })
  note: string | null;

  /** null: the service itself. */
  @Column('jsonb', { nullable: true })
  published_by: Actor | null;

  @Column('timestamptz')
  created_at: Date;
}
