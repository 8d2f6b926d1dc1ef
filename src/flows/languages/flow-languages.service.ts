import { Injectable } from '@nestjs/common';
import { type FieldError, Problem } from '../../platform/api/problems/problem';
import { OffersService } from '../../offers/offers.service';
import type { Tenant } from '../../tenancy/work/tenant';
import { offersOfContent } from '../flow-content';
import { type Gap, gapsOf, tooManyLanguages } from './flow-translations';
import type { FlowContent } from '../versions/flow-version.entity';

/** The most warnings of a response. */
export const MAX_WARNINGS = 500;

/** The languages of a flow together with its offers. */
@Injectable()
export class FlowLanguages {
  constructor(private readonly offers: OffersService) {}

  /** The fault of too many, if there are. */
  async faultsOf(tenant: Tenant, content: FlowContent): Promise<FieldError[]> {
    const offers = await this.offers.wordsOf(tenant, content.offer_ids);
    return tooManyLanguages(content, offers.values());
  }

  /** Throws a 400 if they are too many. */
  async requireFew(tenant: Tenant, content: FlowContent): Promise<void> {
    const faults = await this.faultsOf(tenant, content);
    if (faults.length > 0) throw Problem.invalid(faults);
  }

  /** The texts that are missing in some of them. */
  async warningsOf(tenant: Tenant, content: FlowContent): Promise<Gap[]> {
    const offers = await this.offers.wordsOf(tenant, content.offer_ids);
    return gapsOf(content, offers, offersOfContent(content));
  }
}
