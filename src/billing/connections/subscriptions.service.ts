import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Problem } from '../../platform/api/problems/problem';
import { ManagementLimits } from '../../platform/database/queue/management-limits.service';
import { readTime } from '../../platform/database/time';
import type { Offer } from '../../offers/offer.entity';
import type { ForeseenEffect, Foreseen, Foresight } from '../../runtime/preview/effects';
import type { Fact } from '../../conditions/facts';
import { claimedFacts, type Subscription } from '../../runtime/start/subscription';
import { CANCELLATION } from '../../sessions/eligibility';
import type { Tenant } from '../../tenancy/work/tenant';
import { byHand, bySomebody } from '../model/by-hand';
import { answered, type Connected, ConnectionsService } from './connections.service';
import { forFacts, readFacts } from './read-facts';
import { RecentAnswers } from './recent-answers.service';
import type { SubscriptionsDto } from '../dto/subscriptions.dto';
import { madeUp, type MadeUp } from '../model/made-up';
import { orFailure, type Provider } from '../model/provider';
import type { Billed } from '../model/billed';
import { leaving } from '../model/sentences';
import type { NamedOffer } from '../model/task';
import { cancellationFor, consider, eligibilityFor, foreseenOf, valueOf } from './considered';

/** The subscriptions that offers can be tried on, and what they would do to one. */
@Injectable()
export class SubscriptionsService implements Foresight {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly manager: EntityManager,
    private readonly limits: ManagementLimits,
    private readonly answers: RecentAnswers,
  ) {}

  async list({ workspaceId }: Tenant): Promise<SubscriptionsDto> {
    const { connection, provider } = await this.connections.toAsk(workspaceId);
    const listed = this.limits.billing.run(workspaceId, () => provider.subscriptions());
    return { provider: connection.provider, ...(await answered(listed)) };
  }

  async foresee(workspaceId: string, subscription: Subscription, offers: Offer[], facts: Fact[]): Promise<Foreseen> {
    const missing = unknown('', 'no billing system is connected');
    const connected = await this.connections.toAsk(workspaceId, missing);
    return this.answers.inTurn(workspaceId, () => this.foreseeBy(connected, subscription, offers, facts));
  }

  private async foreseeBy(
    connected: Connected,
    subscription: Subscription,
    offers: Offer[],
    facts: Fact[],
  ): Promise<Foreseen> {
    const { connection, provider } = connected;
    const real = await readTime(this.manager);
    const { id } = subscription;
    const billed =
      id === undefined
        ? madeUp(subscription as MadeUp, real, provider.title)
        : await forFacts(facts, await readNamed(provider, id), provider);
    const now = billed.clock ?? real;
    const planned = offers.filter((offer): offer is Offer & NamedOffer => isPlanned(offer));
    const considered = await consider(
      planned,
      billed,
      provider,
      this.answers.namedBy(connection.workspace_id, connected),
    );
    const known = new Map(planned.map((offer, index) => [offer.id, { offer, found: valueOf(considered[index]) }]));
    const effects = offers.map((offer): ForeseenEffect => {
      const { offer: one, found } = known.get(offer.id) ?? {};
      if (one && found) return effect(offer, foreseenOf(one, found, connection, now));
      const text = one
        ? `${provider.title} does not say now whether it can be applied.`
        : bySomebody(byHand('apply', offer));
      return effect(offer, { is_shown: true, text });
    });
    const eligibility = [...known].flatMap(([offerId, { offer, found }]) =>
      found ? [[offerId, eligibilityFor(offer, found, connection, now)] as const] : [],
    );
    return {
      eligibility: {
        ...Object.fromEntries(eligibility),
        [CANCELLATION]: cancellationFor(billed, connection, now),
      },
      facts:
        id === undefined
          ? claimedFacts(subscription, now)
          : await readFacts(facts, billed, connected, this.answers, now),
      effects: [
        ...effects,
        { action: 'cancel', offer_id: null, is_shown: true, text: leaving(billed, connection, now) },
      ],
    };
  }
}

const effect = ({ id }: Offer, said: Pick<ForeseenEffect, 'is_shown' | 'text'>): ForeseenEffect => ({
  action: 'apply',
  offer_id: id,
  ...said,
});

/** Throws a 400 if the billing system does not know it. */
async function readNamed(provider: Provider, id: string): Promise<Billed> {
  const billed = await answered(orFailure(provider.read(id), 'unknown'));
  if (billed === 'unknown' || billed.items.length === 0) throw unknown('/id', 'the billing system does not know it');
  return billed;
}

const isPlanned = ({ offer_type, terms }: Offer): boolean => offer_type !== 'custom' && terms !== null;

function unknown(field: string, why: string): Problem {
  return Problem.invalid([{ pointer: `/customer/subscription${field}`, message: `can’t be tried: ${why}` }]);
}
