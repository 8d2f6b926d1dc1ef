import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { Metadata } from '../platform/api/metadata';
import { Workspace } from '../workspaces/workspace.entity';
import type { OfferTerms } from './offer-types';
import { OFFER_TYPES, type OfferType } from './offer-types';

export const OFFER_STATUSES = ['active', 'archived'] as const;
export type OfferStatus = (typeof OFFER_STATUSES)[number];

/** How often a customer may accept an offer within a number of days. */
export interface OfferLimit {
  accepted: number;
  within_days: number;
}

/** The most that a limit may allow. */
export const MAX_ACCEPTED = 100;

/** The limit of a new offer with terms, unless it is created with another one, or with null. */
export const DEFAULT_LIMIT: OfferLimit = { accepted: 1, within_days: 365 };

/** The texts of an offer in another language, as far as there are. */
export type OfferTranslation = Partial<Record<(typeof OFFER_TEXTS)[number], string>>;
/** The texts that a customer reads of an offer. */
export const OFFER_TEXTS = ['heading', 'body', 'cta_accept', 'cta_decline'] as const;

/** A reusable alternative to cancelling, shown in any number of flows. */
@Entity('offers')
@ForeignKey(() => Workspace, ['workspace_id'], ['id'], { name: 'offers_workspace_id_fkey' })
@Unique('offers_key_key', ['workspace_id', 'key'])
// On `OWN_KEY_OF`, which only the migration can say.
@Index('offers_by_own_key', { synchronize: false })
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

  /** Its key in configuration documents, if its team has chosen one. Set once: see `OWN_KEY_OF`. */
  @Column('text', { nullable: true })
  key: string | null;

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

  /** The change that billing makes for a customer who accepts it. */
  @Column('jsonb', { nullable: true })
  terms: OfferTerms | null;

  /** The texts in other languages, by tag. */
  @Column('jsonb', { default: {} })
  translations: Record<string, OfferTranslation>;

  @Column('timestamptz')
  created_at: Date;

  @Column('timestamptz')
  updated_at: Date;
}
