import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { firstIdAt } from '../../platform/api/ids';
import { currencyOf } from '../../platform/api/fields/money';
import { Problem } from '../../platform/api/problems/problem';
import { statement } from '../../platform/database/transaction/statement';
import { NOW, readTime } from '../../platform/database/time';
import type { Erasure } from '../../privacy/erasure.entity';
import { Erasable, type Erased, ErasureService } from '../../privacy/erasure.service';
import { KeptSessions } from '../../sessions/ends/kept-sessions.service';
import type { FlowSession } from '../../sessions/flow-session.entity';
import type { Tenant } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import type { Work } from '../../tenancy/work/work';
import type { ProviderName } from '../../billing-jobs/billing-connection.entity';
import type { ReportOutcomeDto } from '../dto/outcome.dto';
import { Outcome } from './outcome.entity';
import { canceledId, type ReportedOutcome } from '../model/provider';

/** How far ahead the clock of whoever reports may be. */
const AHEAD_MS = 60 * 60_000;
const BATCH = 1000;

/**
 * The id may name the customer, too. Citus refuses functions in an update that return something else each time, so the
 * new ids are hashes with a salt that is stored nowhere.
 */
const ERASE = statement(
  `UPDATE outcomes SET id = md5(:salt || id)::uuid, customer_id = NULL, erased_customer = :stand_in
  WHERE workspace_id = :workspace AND id = ANY (ARRAY(
    SELECT id FROM outcomes WHERE workspace_id = :workspace AND customer_id = :customer ORDER BY at, id LIMIT ${BATCH} FOR UPDATE))`,
);

/** They stay until the sessions of their time are gone: statistics read both. */
const DELETE_BEFORE = statement(
  `DELETE FROM outcomes WHERE workspace_id = :workspace AND id = ANY (ARRAY(
    SELECT id FROM outcomes WHERE workspace_id = :workspace AND at < :first_kept
      AND NOT EXISTS (SELECT FROM flow_sessions WHERE workspace_id = :workspace AND flow_sessions.id < :first_id)
    ORDER BY at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
);

const INSERT = statement(
  `INSERT INTO outcomes (workspace_id, id, customer_id, type, at, amount, currency, created_at)
  VALUES (:workspace, :id, :customer_id, :type, :at, :amount, :currency, ${NOW}) ON CONFLICT (workspace_id, id) DO NOTHING`,
);

/** Locks a session: its outcomes are stored one after another, and not while its customer is erased. */
const LOCK = statement(
  `SELECT customer_id FROM flow_sessions WHERE workspace_id = :workspace AND id = :session AND erased_at IS NULL
  FOR NO KEY UPDATE`,
);

/** Outcomes that the workspace reported itself stay as they are. A refund makes an amount smaller. */
const SETTLE = statement(
  `INSERT INTO outcomes (workspace_id, id, customer_id, type, at, amount, currency, provider, is_provisional, created_at)
  SELECT :workspace, id, :customer, type, at, amount, currency, :provider, is_provisional, ${NOW}
  FROM jsonb_to_recordset(:outcomes) AS told (id text, type text, at timestamptz, amount bigint, currency text, is_provisional boolean)
  WHERE at <= ${NOW} + interval '${AHEAD_MS} milliseconds'
  ON CONFLICT (workspace_id, id) DO UPDATE SET amount = excluded.amount, is_provisional = excluded.is_provisional,
    at = greatest(outcomes.at, excluded.at)
  WHERE outcomes.provider = excluded.provider
    AND (outcomes.amount, outcomes.is_provisional, outcomes.at) IS DISTINCT FROM (excluded.amount, excluded.is_provisional, excluded.at)`,
);

/** Deletes a later cancellation that the customer took back. */
const TAKE_BACK = statement(
  `DELETE FROM outcomes WHERE workspace_id = :workspace AND id = :id AND is_provisional AND at > :saved_at`,
);

/** Payments and cancellations of customers after their sessions. */
@Injectable()
export class OutcomesService extends Erasable {
  constructor(
    private readonly manager: EntityManager,
    private readonly units: UnitsOfWork,
    private readonly kept: KeptSessions,
    erasure: ErasureService,
  ) {
    super(erasure);
  }

  /** Stores an outcome once, however often it is reported. `isNew` says whether this report did. */
  async report(tenant: Tenant, report: ReportOutcomeDto): Promise<{ outcome: Outcome; isNew: boolean }> {
    const { id, customer_id, type, amount = null, currency = null } = report;
    if ((amount === null) !== (currency === null)) {
      const pointer = amount === null ? '/amount' : '/currency';
      throw Problem.invalid([{ pointer, message: 'must be given, because amount and currency go together' }]);
    }
    const at = new Date(report.at);
    const latest = (await readTime(this.manager)).getTime() + AHEAD_MS;
    if (at.getTime() > latest) throw Problem.invalid([{ pointer: '/at', message: 'must be an hour from now at most' }]);
    const row = { id, customer_id, type, at, amount, currency: currency && currencyOf(currency) };
    return this.units.run(tenant, async (work) => {
      // Waits for another report of the same id to be committed, so that the row can be read then.
      const isNew = (await work.write(INSERT, row)) > 0;
      if (isNew && type === 'kept') await this.kept.keep(work, customer_id, at);
      return { outcome: await reportedAs(work, row), isNew };
    });
  }

  /**
   * Stores all that a provider says of a subscription since a session was saved, unless its customer was erased
   * meanwhile.
   */
  settle(
    tenant: Tenant,
    { id, subscription_id, updated_at }: Pick<FlowSession, 'id' | 'subscription_id' | 'updated_at'>,
    provider: ProviderName,
    outcomes: ReportedOutcome[],
  ): Promise<void> {
    const told = outcomes.map(({ currency, isProvisional = false, ...outcome }) => {
      return { ...outcome, currency: currency && currencyOf(currency), is_provisional: isProvisional };
    });
    return this.units.run(tenant, async (work) => {
      const session = await work.row<{ customer_id: string }>(LOCK, { session: id });
      if (!session) return;
      if (!outcomes.some(({ type }) => type === 'canceled'))
        await work.write(TAKE_BACK, { id: canceledId(subscription_id!), saved_at: updated_at });
      await work.write(SETTLE, { customer: session.customer_id, provider, outcomes: JSON.stringify(told) });
    });
  }

  /** Lets the stand-in stand for a customer, in up to 1,000 outcomes. */
  async erase(work: Work, { customer_id: customer, stand_in }: Erasure): Promise<Erased> {
    const erased = await work.write(ERASE, { customer, stand_in, salt: randomUUID() });
    return { sessions: 0, isMore: erased === BATCH };
  }

  /** Deletes up to 1,000 outcomes that happened before a time. Returns whether there may be more. */
  async deleteBefore(tenant: Tenant, time: Date): Promise<boolean> {
    const values = { first_kept: time, first_id: firstIdAt(time) };
    return (await this.units.run(tenant, (work) => work.write(DELETE_BEFORE, values))) === BATCH;
  }
}

type Reported = Pick<Outcome, 'id' | 'customer_id' | 'type' | 'at' | 'amount' | 'currency'>;

/** The outcome of a report. Throws a 409 if another report had its id. */
async function reportedAs(work: Work, row: Reported): Promise<Outcome> {
  const [outcome] = await work.find(Outcome, { id: row.id });
  // Erased meanwhile.
  if (!outcome) throw new Problem('conflict');
  const fields = Object.keys(row) as (keyof Reported)[];
  if (fields.some((field) => outcome[field]?.valueOf() !== row[field]?.valueOf())) {
    throw new Problem('outcome_id_reused');
  }
  return outcome;
}
