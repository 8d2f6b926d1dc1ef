import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Config } from '../app/config';
import type { FieldError } from '../platform/api/problem';
import { jsonPointer } from '../platform/api/json-pointer';
import { OfferTermsCheck, type TermsOf } from '../offers/offer-terms-check';
import type { Tenant } from '../tenancy/tenant';
import { answered, ConnectionsService } from './connections.service';
import type { CatalogDto } from './dto/catalog.dto';

/** What offers can name of the billing system of a workspace, and whether it is there. */
@Injectable()
export class CatalogService implements OnModuleInit {
  /** Each page with the form of an offer reads it, so Stripe is asked once in 10 seconds. */
  private readonly recent = new LRUCache<string, Promise<CatalogDto>>({ max: 1000, ttl: 10_000 });

  constructor(
    private readonly connections: ConnectionsService,
    private readonly check: OfferTermsCheck,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    if (!this.config.sendNothing) this.check.checkBy((tenant, offer) => this.faultsIn(tenant, offer));
  }

  read({ workspaceId }: Tenant): Promise<CatalogDto> {
    const known = this.recent.get(workspaceId);
    if (known) return known;
    const found = this.ask(workspaceId);
    this.recent.set(workspaceId, found);
    found.catch(() => this.recent.delete(workspaceId));
    return found;
  }

  private async ask(workspaceId: string): Promise<CatalogDto> {
    const { connection, provider } = await this.connections.toAsk(workspaceId);
    return { provider: connection.provider, ...answered(await provider.catalog()) };
  }

  /** Nothing without a connection. */
  private async faultsIn({ workspaceId }: Tenant, { offer_type, terms }: TermsOf): Promise<FieldError[]> {
    if (offer_type === 'custom' || !terms) return [];
    const connected = await this.connections.connected(workspaceId);
    if (typeof connected !== 'object') return [];
    const fault = await connected.provider.faultIn({ offer_type, terms });
    return fault ? [{ pointer: jsonPointer('terms', fault.field), message: fault.message }] : [];
  }
}
