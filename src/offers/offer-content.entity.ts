import { applyDecorators } from '@nestjs/common';
import { Check, Column } from 'typeorm';
import { aboutField, type OfferField } from './fields';
import type { ConditionGroup } from '../conditions/condition.dto';
import type { OfferAvailable } from './offered';
import type { Json } from '../platform/common/json';
import type { Metadata } from '../platform/api/fields/metadata';
import type { OfferLimit } from '../workspaces/offer-limit';
import {
  OFFER_OUTCOMES,
  OFFER_TYPES,
  type OfferOutcome,
  type OfferTerms,
  type PageImage,
  type OfferTranslation,
  type OfferType,
} from './terms/types';

/** What versions and drafts have of an offer: what customers and billing get. */
export class OfferContent implements Record<OfferField, unknown> {
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

  /** What a customer reads after accepting it; '': the service's own words. */
  @Column('text', { default: '' })
  accepted_title: string;

  @Column('text', { default: '' })
  accepted_body: string;

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

  /** Above the heading. */
  @Column('jsonb', { nullable: true })
  image: PageImage | null;

  /** Below the body. */
  @Column('jsonb', { default: [] })
  points: string[];

  /** The texts in other languages, by tag. */
  @Column('jsonb', { default: {} })
  translations: Record<string, OfferTranslation>;

  /** What a customer has decided who accepts it: to stay, or nothing yet. */
  @Column('text', { default: 'saved' })
  outcome: OfferOutcome;

  /** Tells a page of the site's own which of its components shows it. */
  @Column('text', { nullable: true })
  kind: string | null;

  /** For that component. */
  @Column('jsonb', { nullable: true })
  data: Json | null;

  /** When customers see it; null: at any time. */
  @Column('jsonb', { nullable: true })
  available: OfferAvailable | null;

  /** The conditions of the customers who see it; null: everybody does. */
  @Column('jsonb', { nullable: true })
  when: ConditionGroup | null;
}

const bounded = (name: OfferField) => `char_length(${name}) <= ${aboutField(name).max}`;
const filled = (name: OfferField) => `char_length(${name}) BETWEEN 1 AND ${aboutField(name).max}`;

/** The CHECKs of a table that has the content of offers. */
export const ContentChecks = (table: string): ClassDecorator =>
  applyDecorators(
    Check(`${table}_offer_type_check`, `offer_type IN (${OFFER_TYPES.map((type) => `'${type}'`).join(', ')})`),
    Check(`${table}_outcome_check`, `outcome IN (${OFFER_OUTCOMES.map((outcome) => `'${outcome}'`).join(', ')})`),
    Check(`${table}_name_check`, filled('name')),
    Check(`${table}_value_check`, `${bounded('offer_value')} AND ${bounded('offer_duration')}`),
    Check(`${table}_heading_check`, filled('heading')),
    Check(`${table}_body_check`, bounded('body')),
    Check(`${table}_cta_check`, `${filled('cta_accept')} AND ${filled('cta_decline')}`),
    Check(`${table}_accepted_check`, `${bounded('accepted_title')} AND ${bounded('accepted_body')}`),
    Check(`${table}_accept_url_check`, filled('accept_url')),
  );
