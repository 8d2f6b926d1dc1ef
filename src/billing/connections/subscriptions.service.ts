import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Problem } from '../../platform/api/problems/problem';
import { ManagementLimits } from '../../platform/database/queue/management-limits.service';
import { readTime } from '../../platform/database/time';
import type { Offer } from '../../offers/offer.entity';
import type { Effect, Foreseen, Foresight } from '../../runtime/preview/effects';
import type { Subscription } from '../../runtime/start/subscription';
import type { Tenant } from '../../tenancy/work/tenant';
import { byHand, bySomebody } from '../model/by-hand';
import { answered, ConnectionsService } from './connections.service';
import type { SubscriptionsDto } from '../dto/subscriptions.dto';
import type { NamedOffer } from '../model/provider';

/** The subscriptions that offers can be tried on, and what they would do to one. */
@Injectable()
export class SubscriptionsService implements Foresight {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly manager: EntityManager,
    private readonly limits: ManagementLimits,
  ) {}

  async list({ workspaceId }: Tenant): Promise<SubscriptionsDto> {
    const { connection, provider } = await this.connections.toAsk(workspaceId);
    const listed = await this.limits.billing.run(workspaceId, () => provider.subscriptions());
    return { provider: connection.provider, ...answered(listed) };
  }

  async foresee(workspaceId: string, subscription: Subscription, offers: Offer[]): Promise<Foreseen> {
    const { connection, provider } = await this.connections.toAsk(
      workspaceId,
      unknown('', 'no billing system is connected'),
    );
    const planned = offers.filter((offer): offer is Offer & NamedOffer => isPlanned(offer));
    const now = await readTime(this.manager);
    const found = answered(await provider.effects(subscription, planned, connection.proration, now));
    if (found === 'unknown') throw unknown('/id', 'the billing system does not know it');
    const known = new Map(planned.map(({ id }, index) => [id, found.offers[index]]));
    const eligibility = [...known].flatMap(([id, { eligibility: one }]) => (one ? [[id, one] as const] : []));
    const effects = offers.map((offer): Effect => {
      const { is_shown, text } = known.get(offer.id) ?? { is_shown: true, text: bySomebody(byHand('apply', offer)) };
      return { action: 'apply', offer_id: offer.id, is_shown, text };
    });
    return {
      eligibility: Object.fromEntries(eligibility),
      effects: [...effects, { action: 'cancel', offer_id: null, is_shown: true, text: found.leaving }],
    };
  }
}

const isPlanned = ({ offer_type, terms }: Offer): boolean => offer_type !== 'custom' && terms !== null;

function unknown(field: string, why: string): Problem {
  return Problem.invalid([{ pointer: `/customer/subscription${field}`, message: `can’t be tried: ${why}` }]);
}
