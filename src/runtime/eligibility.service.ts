import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, Optional } from '@nestjs/common';
import { ConnectionPool } from '../platform/database/connection/connection-pool';
import { bound, statement } from '../platform/database/transaction/statement';
import { factsIn } from '../flows/graph/branch-conditions';
import type { Fact, Facts } from '../conditions/facts';
import type { NewSession } from './start/admission-rules';
import type { Eligibilities } from '../sessions/eligibility';

/** How long a step waits for an answer. Without one, offers are shown as if nothing were known. */
const WAIT_MS = 300;

/** What numbers, filters and webhooks go by, whatever the flow asks. The others cost more, or come by themselves. */
const ALWAYS_ASKED: Fact[] = ['plan'];

/** What is known of the customer is settled with the first step. */
const STORE = statement(
  `UPDATE flow_sessions SET eligibility = coalesce(:eligibility, eligibility),
    facts = CASE WHEN updated_at = created_at THEN nullif(coalesce(facts, '{}') || :facts, '{}') ELSE facts END
  WHERE workspace_id = :workspace AND session_id = :session AND erased_at IS NULL AND status = 'in_progress'`,
);

/** A customer who has just come, with the subscription that a token named. */
export interface Newcomer {
  workspace_id: string;
  subscription_id: string;
  customer: { id: string; billing_id: string | null };
  /** The offers of the flow. */
  offer_ids: string[];
  /** Whether the flow lets billing cancel. */
  cancels: boolean;
  /** What is asked of the subscription, beside what it says by itself. */
  facts: Fact[];
}

/** What a billing system says of a newcomer. */
export interface LookedUp {
  /** Null in a dry run. */
  eligibility: Eligibilities | null;
  facts: Facts;
}

/** Says which offers can be applied, whether billing can cancel, and facts. The module of billing implements it. */
export abstract class EligibilityLookUp {
  /** What a billing system says of the customer's subscription; undefined if it can't say. */
  abstract lookUp(newcomer: Newcomer): Promise<LookedUp | undefined>;
}

/**
 * Which offers a customer could get, and the facts that branches go by, as the billing system says. It is asked once,
 * when a session has begun, beside the answer to the start. What it says is stored with the session, so that any
 * process can take its steps.
 */
@Injectable()
export class EligibilityService {
  private readonly underWay = new Map<string, Promise<void>>();

  constructor(
    private readonly connections: ConnectionPool,
    @Optional() private readonly billing?: EligibilityLookUp,
  ) {}

  /** Asks for a session that has begun, if a token named the subscription. */
  request({ workspace_id, session_id, customer, signed_by, version }: NewSession): void {
    const subscription_id = customer?.subscription?.id;
    if (!this.billing || !customer || signed_by === undefined || subscription_id === undefined) return;
    const offer_ids = version.definition.nodes.flatMap((node) => (node.type === 'offer' ? node.config.offer_id : []));
    const { cancel_in_billing: cancels } = version;
    const facts = [...new Set([...ALWAYS_ASKED, ...factsIn(version, 'subscription')])];
    const { id, billing_id = null } = customer;
    const newcomer = { workspace_id, subscription_id, customer: { id, billing_id }, offer_ids, cancels, facts };
    const stored = this.lookUpAndStore(this.billing, session_id, newcomer)
      .catch((error: unknown) => new Logger('Eligibility').warn(`Offers could not be looked up: ${String(error)}`))
      .finally(() => this.underWay.delete(session_id));
    this.underWay.set(session_id, stored);
  }

  /** Waits for the answer about a session, if this process has asked for it. */
  async waitFor(sessionId: string): Promise<void> {
    const stored = this.underWay.get(sessionId);
    if (stored) await Promise.race([stored, pause(WAIT_MS, undefined, { ref: false })]);
  }

  private async lookUpAndStore(billing: EligibilityLookUp, sessionId: string, newcomer: Newcomer): Promise<void> {
    const found = await billing.lookUp(newcomer);
    if (!found) return;
    await this.connections.send(bound(STORE, newcomer.workspace_id, { session: sessionId, ...found }));
  }
}
