import { Injectable } from '@nestjs/common';
import { Config } from '../../settings/config';
import { ManagementLimits } from '../../platform/database/queue/management-limits.service';
import type { FieldError } from '../../platform/api/problems/problem';
import { jsonPointer } from '../../platform/api/problems/json-pointer';
import type { BillingCatalog, TermsOf } from '../../offers/terms/check';
import type { Tenant } from '../../tenancy/work/tenant';
import { answered, type Connected, ConnectionsService } from './connections.service';
import { RecentAnswers } from './recent-answers.service';
import type { Named } from '../model/billed';
import { BillingFailure } from '../model/provider';
import type { OfferTerms } from '../../offers/terms/types';
import type { CatalogDto } from '../dto/catalog.dto';

/** What offers can name of the billing system of a workspace, and whether it is there. */
@Injectable()
export class CatalogService implements BillingCatalog {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly config: Config,
    private readonly limits: ManagementLimits,
    private readonly answers: RecentAnswers,
  ) {}

  /** Throws a 404 without a connection. */
  async read({ workspaceId }: Tenant): Promise<CatalogDto> {
    const connected = await this.connections.toAsk(workspaceId);
    const { api_key, account } = connected.connection;
    // Each page with the form of an offer reads it.
    return this.answers.once(['catalog', workspaceId, api_key.toString('base64'), account], () =>
      this.limits.billing.run(workspaceId, () => this.ask(connected)),
    );
  }

  private async ask({ connection, provider }: Connected): Promise<CatalogDto> {
    return { provider: connection.provider, ...(await answered(provider.catalog())) };
  }

  /** Nothing without a connection. */
  async faultsIn({ workspaceId }: Tenant, { offer_type, terms }: TermsOf): Promise<FieldError[]> {
    if (this.config.sendNothing || offer_type === 'custom' || !terms) return [];
    const connected = await this.connections.connected(workspaceId);
    if (typeof connected !== 'object') return [];
    const { provider } = connected;
    try {
      return faultsOf(await provider.named(terms), terms, provider.title);
    } catch (error) {
      if (error instanceof BillingFailure) return [];
      throw error;
    }
  }
}

/** Why the price or the coupon of an offer can't be used. */
function faultsOf({ price, coupon }: Named, terms: OfferTerms, system: string): FieldError[] {
  const faults: [field: 'price' | 'coupon', message: string | false][] = [
    ['price', price === 'unknown' && `${system} does not know the price ${terms.price}`],
    ['price', typeof price === 'object' && !price.isActive && `the price ${terms.price} is archived in ${system}`],
    ['coupon', coupon === 'unknown' && `${system} does not know the coupon ${terms.coupon}`],
    [
      'coupon',
      typeof coupon === 'object' && !coupon.isValid && `the coupon ${terms.coupon} can’t be redeemed any more`,
    ],
  ];
  return faults.flatMap(([field, message]) => (message ? [{ pointer: jsonPointer('terms', field), message }] : []));
}
