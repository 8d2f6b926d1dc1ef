import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { In, IsNull, Not } from 'typeorm';
import { Problem } from '../../platform/api/problems/problem';
import { ConcurrencyLimit } from '../../platform/database/queue/concurrency-limit';
import { Config } from '../../settings/config';
import { readTime } from '../../platform/database/time';
import { theServiceIn } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import { Offer } from '../../offers/offer.entity';
import type { Eligibilities } from '../../sessions/eligibility';
import type { EligibilityLookUp, Newcomer } from '../../runtime/eligibility.service';
import { isOf } from '../model/task';
import { BillingFailure } from '../model/provider';
import { ConnectionsService } from './connections.service';
import { consider, eligibilityFor, valueOf } from './considered';

/** The most subscriptions that are looked up at once, for all workspaces and for one. */
const MOST = 24;
const MOST_OF_WORKSPACE = 4;
/** How long the others wait. Their answers may come too late for the next step, and in time for the one after. */
const WAIT_MS = 2000;

/**
 * Says which offers of a flow can be applied to the subscription of a customer who has just come, where the connection
 * is live.
 */
@Injectable()
export class OfferEligibility implements EligibilityLookUp {
  private readonly limit = new ConcurrencyLimit(MOST, { ofKey: MOST_OF_WORKSPACE, waitMs: WAIT_MS });
  private readonly recent = new LRUCache<string, Promise<Eligibilities | undefined>>({ max: 1000, ttl: 10_000 });

  constructor(
    private readonly units: UnitsOfWork,
    private readonly connections: ConnectionsService,
    private readonly config: Config,
  ) {}

  /** Looks a customer up once in 10 seconds, however many sessions they begin. */
  async lookUp(newcomer: Newcomer): Promise<Eligibilities | undefined> {
    if (this.config.sendNothing) return undefined;
    const key = JSON.stringify(newcomer);
    const known = this.recent.get(key);
    if (known) return known;
    const { workspace_id } = newcomer;
    const found = this.limit.run(workspace_id, () => this.read(newcomer)).catch(unlessCrowded);
    this.recent.set(key, found);
    const forget = () => void this.recent.delete(key);
    found.then((eligibilities) => eligibilities ?? forget(), forget);
    return found;
  }

  private async read(newcomer: Newcomer): Promise<Eligibilities | undefined> {
    const { workspace_id, subscription_id, customer, offer_ids } = newcomer;
    const connected = await this.connections.connected(workspace_id);
    if (typeof connected !== 'object' || connected.connection.mode !== 'live' || connected.connection.key_refused_at)
      return undefined;
    const reader = this.units.reader(theServiceIn(workspace_id));
    const offers = await reader.find(Offer, { id: In(offer_ids), status: 'active', terms: Not(IsNull()) });
    const planned = offers.flatMap(({ id, offer_type, terms }) =>
      terms && offer_type !== 'custom' ? { id, offer_type, terms } : [],
    );
    if (planned.length === 0) return undefined;
    const now = await readTime(reader.manager);
    const { provider } = connected;
    try {
      const billed = await provider.read(subscription_id);
      if (!isOf(customer, billed))
        return Object.fromEntries(planned.map(({ id, terms }) => [id, { terms, left_to_person: true }]));
      const considered = await consider(planned, billed, provider);
      return Object.fromEntries(
        planned.flatMap((offer, index) => {
          const one = valueOf(considered[index]);
          return one ? [[offer.id, eligibilityFor(offer, one, now)]] : [];
        }),
      );
    } catch (error) {
      if (error instanceof BillingFailure) return undefined;
      throw error;
    }
  }
}

/** Nothing is known of a customer whose turn has not come. */
function unlessCrowded(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error;
}
