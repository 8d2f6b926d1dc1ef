import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Problem } from '../../platform/api/problems/problem';
import { Config } from '../../settings/config';
import { readTime } from '../../platform/database/time';
import { theServiceIn } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import { Offer } from '../../offers/offer.entity';
import { factsOfOffered } from '../../offers/offered';
import { CANCELLATION, type Eligibilities } from '../../sessions/eligibility';
import type { EligibilityLookUp, LookedUp, Newcomer } from '../../runtime/eligibility.service';
import { isOf } from '../model/task';
import { BillingFailure } from '../model/provider';
import { ConnectionsService } from './connections.service';
import { cancellationFor, consider, eligibilityFor, LEFT_TO_PERSON, valueOf } from './considered';
import { forFacts, readFacts } from './read-facts';
import { RecentAnswers } from './recent-answers.service';

/**
 * Says which offers of a flow can be applied to the subscription of a customer who has just come, where the connection
 * is live, and what branches and offers ask of it, in a dry run, too.
 */
@Injectable()
export class OfferEligibility implements EligibilityLookUp {
  constructor(
    private readonly units: UnitsOfWork,
    private readonly connections: ConnectionsService,
    private readonly answers: RecentAnswers,
    private readonly config: Config,
  ) {}

  async lookUp(newcomer: Newcomer): Promise<LookedUp | undefined> {
    if (this.config.sendNothing) return undefined;
    return this.answers.once(newcomer, () =>
      this.answers.inTurn(newcomer.workspace_id, () => this.read(newcomer)).catch(unlessCrowded),
    );
  }

  private async read(newcomer: Newcomer): Promise<LookedUp | undefined> {
    const { workspace_id, subscription_id, customer, offer_ids, facts } = newcomer;
    const connected = await this.connections.connected(workspace_id);
    if (typeof connected !== 'object' || connected.connection.key_refused_at) return undefined;
    const { connection, provider } = connected;
    const isLive = connection.mode === 'live';
    const cancels = isLive && newcomer.cancels;
    const reader = this.units.reader(theServiceIn(workspace_id));
    const offers = await reader.find(Offer, { id: In(offer_ids), status: 'active' });
    const asked = [...new Set([...facts, ...factsOfOffered(offers)])];
    const planned = offers.flatMap(({ id, offer_type, terms }) =>
      isLive && terms && offer_type !== 'custom' ? { id, offer_type, terms } : [],
    );
    try {
      const read = await provider.read(subscription_id);
      if (!isOf(customer, read)) {
        const leftToPerson = planned.map(({ id, terms }) => [id, { terms, left_to_person: true as const }] as const);
        const eligibility = { ...Object.fromEntries(leftToPerson), [CANCELLATION]: LEFT_TO_PERSON };
        return { eligibility: isLive ? eligibility : null, facts: {} };
      }
      const billed = await forFacts(asked, read, provider);
      const now = billed.clock ?? (await readTime(reader.manager));
      const [considered, known] = await Promise.all([
        consider(planned, billed, provider, this.answers.namedBy(workspace_id, connected)),
        readFacts(asked, billed, connected, this.answers, now),
      ]);
      const found = planned.flatMap((offer, index) => {
        const one = valueOf(considered[index]);
        return one ? [[offer.id, eligibilityFor(offer, one, connection, now)] as const] : [];
      });
      const eligibility: Eligibilities = {
        ...Object.fromEntries(found),
        ...(cancels && { [CANCELLATION]: cancellationFor(billed, connection, now) }),
      };
      return { eligibility: isLive ? eligibility : null, facts: known };
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
