import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, Optional } from '@nestjs/common';
import { type FieldError, MAX_FIELD_ERRORS } from '../../platform/api/problems/problem';
import type { Tenant } from '../../tenancy/work/tenant';
import type { OfferContent } from '../offer-content.entity';

/** How long whoever saves an offer waits. */
const WAIT_MS = 3000;

export type TermsOf = Pick<OfferContent, 'offer_type' | 'terms'>;

/** What the billing system of a workspace has. The module of billing implements it. */
export abstract class BillingCatalog {
  /** What an offer names but the billing system lacks. */
  abstract faultsIn(tenant: Tenant, offer: TermsOf): Promise<FieldError[]>;
}

/**
 * Asks the billing system whether it has the price or the coupon that an offer names. It only warns: the price may be
 * made later, or be in the mode for real money.
 */
@Injectable()
export class OfferTermsCheck {
  constructor(@Optional() private readonly catalog?: BillingCatalog) {}

  /**
   * These warnings, and what the billing system adds to them; undefined if there are none. Nothing is added if it does
   * not answer.
   */
  async addedTo(warnings: FieldError[] = [], tenant: Tenant, offer: TermsOf): Promise<FieldError[] | undefined> {
    const all = [...(await this.faultsIn(tenant, offer)), ...warnings];
    return all.length > 0 ? all.slice(0, MAX_FIELD_ERRORS) : undefined;
  }

  private async faultsIn(tenant: Tenant, offer: TermsOf): Promise<FieldError[]> {
    if (!this.catalog || (offer.terms?.price === undefined && offer.terms?.coupon === undefined)) return [];
    const found = this.catalog.faultsIn(tenant, offer).catch((error: unknown) => {
      new Logger('Offers').warn(`The terms of an offer could not be checked: ${String(error)}`);
      return [];
    });
    return Promise.race([found, pause(WAIT_MS, [], { ref: false })]);
  }
}
