import { wordsOf } from '../../platform/text/search-words';
import { jsonRows } from '../../platform/database/transaction/json-rows';
import { NOW } from '../../platform/database/time';
import type { ShownNode } from '../../flows/graph/flow-definition';
import type { FlowVersion } from '../../flows/versions/flow-version.entity';
import { OFFER_CONTENT } from '../../offers/fields';
import type { WrittenOffer } from '../../offers/shown-offer';
import { MAX_ACCEPTED, type OfferLimit } from '../../workspaces/offer-limit';
import type { Offer } from '../../offers/offer.entity';
import { BatchStatements } from '../batch-statements';
import { type FlowSession, SIGNED_SUBSCRIPTION } from '../../sessions/flow-session.entity';
import type { ToldJob } from '../../billing-jobs/shown-fulfilment';
import { carrierOf, type KnownConnection } from '../../billing-jobs/carried-out-by';
import { LEAVE_JOBS, type NewJob } from '../../billing-jobs/new-jobs';
import { CANCELLATION, type Eligibilities, eligibilityOf } from '../../sessions/eligibility';
import { isOverAt } from '../../sessions/session-status';
import type { SessionStep } from '../../sessions/session-step.entity';
import type { AcceptanceCount, LimitedOffer } from './acceptances';
import type { Position, TakenStep } from './next-step';
import type { Known } from './silent-nodes';

/** The key that a session is found by. */
export type SessionKey = Pick<FlowSession, 'workspace_id' | 'session_id'>;

/** A session under lock: what decides where a step leads. */
export interface LockedSession
  extends
    Position,
    Pick<
      FlowSession,
      | 'workspace_id'
      | 'id'
      | 'session_id'
      | 'flow_id'
      | 'flow_version'
      | 'locale'
      | 'customer_id'
      | 'customer_verified'
      | 'arms'
      | 'eligibility'
      | 'facts'
    > {
  /** The subscription that a token named; one that only a page named counts for nothing. */
  subscription_id: string | null;
  attributes: Known['attributes'] | null;
  is_erased: boolean;
  is_expired: boolean;
  /** The workspace's, over all offers. */
  offer_limit: OfferLimit | null;
  /** Null without one. */
  connection: KnownConnection | null;
  /** When the subscription ends, if the customer cancels: an ISO time. Null if it is not known, or has come. */
  ends: string | null;
  /** The job for billing, if the session has ended and left one. */
  job: ToldJob | null;
  now: Date;
}

/** SQL for what the billing system said of the end, unless that has come meanwhile. */
const ENDS = `CASE WHEN (eligibility #>> '{${CANCELLATION},effects,0,until}')::timestamptz > ${NOW}
          THEN eligibility #>> '{${CANCELLATION},effects,0,until}' END`;

/** The columns of a `LockedSession`. */
const LOCKED = `workspace_id, session.id, session_id, flow_id, flow_version, locale, status, current_node_key AS node_key,
        presented_offer, accepted_offer, customer_id, customer_verified, ${SIGNED_SUBSCRIPTION} AS subscription_id, customer -> 'attributes' AS attributes, arms, facts, eligibility, ${ENDS} AS ends, ${NOW} AS now,
        erased_at IS NOT NULL AS is_erased, ${isOverAt(NOW, 'session')} AS is_expired,
        (SELECT offer_limit FROM workspaces WHERE workspaces.id = session.workspace_id) AS offer_limit,
        (
          SELECT jsonb_build_object('mode', mode, 'proration', proration, 'missing_permissions', missing_permissions,
            'is_refused', key_refused_at IS NOT NULL)
          FROM billing_connections WHERE billing_connections.workspace_id = session.workspace_id
        ) AS connection, CASE WHEN status <> 'in_progress' THEN (
          SELECT jsonb_build_object('action', action, 'mode', mode, 'state', state, 'carried_out_by', carried_out_by) FROM fulfilments AS job
          WHERE job.workspace_id = session.workspace_id AND job.flow_session_id = session.id
        ) END AS job`;

const IS_OFFER = `AND accepted_offer ->> 'id' = asked.offer_id::text`;

/**
 * SQL for the sessions that accepted an offer, as many as a limit may allow. An acceptance without a token does not
 * count for a customer with one: anybody can name a customer.
 *
 * @param which the offer, in SQL; '' for any
 */
const acceptedBy = (acceptor: string, which: string) => `
              SELECT id FROM flow_sessions AS session
              WHERE session.workspace_id = ANY ($1::uuid[]) AND session.workspace_id = asked.workspace_id
                AND ${acceptor} AND saved_by_offer ${which}
                AND session.updated_at > ${NOW} - asked.within_days * interval '24 hours' LIMIT ${MAX_ACCEPTED}`;

type OfferKey = Pick<Offer, 'workspace_id' | 'id'>;
export type ActiveOffer = OfferKey & WrittenOffer;
export type EarlierStep = TakenStep & Pick<SessionStep, 'workspace_id' | 'flow_session_id'>;

/** The steps that a session took, and where they led. */
export interface Move {
  session: LockedSession;
  version: Pick<FlowVersion, 'cancel_in_billing' | 'after_cancel'>;
  position: Position;
  /** Oldest first. */
  steps: (TakenStep & { node_type: ShownNode['type'] })[];
}

/** The statements that take steps, each for many sessions. */
export class StepStatements extends BatchStatements {
  /** Locks and reads sessions. Those that somebody else has locked are left out, unless it waits for them. */
  lock(keys: SessionKey[], waits: boolean): Promise<LockedSession[]> {
    return this.send(
      waits ? 'steps-lock' : 'steps-lock-free',
      `SELECT ${LOCKED}
      FROM ${jsonRows('$2', 'workspace_id uuid, session_id uuid')} AS asked
      JOIN flow_sessions AS session USING (workspace_id, session_id)
      WHERE workspace_id = ANY ($1::uuid[])
      FOR NO KEY UPDATE OF session ${waits ? '' : 'SKIP LOCKED'}`,
      keys,
    );
  }

  /** Reads the steps that sessions took, oldest first. */
  async stepsOf(sessions: LockedSession[]): Promise<EarlierStep[]> {
    if (sessions.length === 0) return [];
    const steps = await this.send<Omit<SessionStep, 'ways' | 'withheld' | 'withheld_reasons'>>(
      'steps-earlier',
      `SELECT workspace_id, flow_session_id, node_key, action, option, options, comment, months, result, offer
      FROM ${jsonRows('$2', 'workspace_id uuid, flow_session_id uuid')} AS asked
      JOIN session_steps USING (workspace_id, flow_session_id)
      WHERE workspace_id = ANY ($1::uuid[])
      ORDER BY position`,
      sessions.map(({ workspace_id, id }) => ({ workspace_id, flow_session_id: id })),
    );
    return steps.map(({ option, options, comment, months, result, ...step }) => ({
      ...step,
      option: option ?? undefined,
      options: options ?? undefined,
      comment: comment ?? undefined,
      months: months ?? undefined,
      result: result ?? undefined,
    }));
  }

  /** Reads offers, if they are active. */
  async activeOffers(asked: OfferKey[]): Promise<ActiveOffer[]> {
    if (asked.length === 0) return [];
    return this.send(
      'steps-offers',
      `SELECT workspace_id, id, ${OFFER_CONTENT.map((column) => `"${column}"`).join(', ')}
      FROM (SELECT DISTINCT * FROM ${jsonRows('$2', 'workspace_id uuid, id uuid')} AS named) AS asked
      JOIN offers USING (workspace_id, id)
      WHERE workspace_id = ANY ($1::uuid[]) AND status = 'active'`,
      asked,
    );
  }

  /** Reads how often offers were accepted. What is about to be accepted is locked first, until the transaction ends. */
  async acceptances(asked: LimitedOffer[]): Promise<AcceptanceCount[]> {
    if (asked.length === 0) return [];
    const [, ...counts] = await Promise.all([
      this.lockAcceptances(asked.filter(({ accepts }) => accepts)),
      this.count(
        'steps-acceptances',
        IS_OFFER,
        asked.filter(({ offer_id }) => offer_id !== null),
      ),
      this.count(
        'steps-acceptances-of-any',
        '',
        asked.filter(({ offer_id }) => offer_id === null),
      ),
    ]);
    return counts.flat();
  }

  private async count(name: string, which: string, asked: LimitedOffer[]): Promise<AcceptanceCount[]> {
    if (asked.length === 0) return [];
    return this.send(
      name,
      `SELECT workspace_id, customer_id, customer_verified, subscription_id, offer_id, within_days, (
          SELECT count(*)::integer FROM (
            (${acceptedBy('session.customer_id = asked.customer_id AND (session.customer_verified OR NOT asked.customer_verified)', which)})
            UNION
            (${acceptedBy('session.subscription_id = asked.subscription_id AND session.customer_verified', which)})
          ) AS accepting
        ) AS accepted
        FROM ${jsonRows(
          '$2',
          'workspace_id uuid, customer_id text, customer_verified boolean, subscription_id text, offer_id uuid, within_days integer',
        )} AS asked
        WHERE workspace_id = ANY ($1::uuid[])`,
      asked,
    );
  }

  /**
   * Locks customers, subscriptions and offers, in one order: batches that wait here have their sessions locked and lock
   * nothing else afterwards, so no two wait for each other.
   */
  private async lockAcceptances(accepting: LimitedOffer[]): Promise<void> {
    if (accepting.length === 0) return;
    await this.send(
      'steps-lock-acceptances',
      `SELECT pg_advisory_xact_lock(key) FROM (
        SELECT DISTINCT hashtextextended(workspace_id::text || coalesce(offer_id::text, '') || name, 0) AS key
        FROM ${jsonRows('$2', 'workspace_id uuid, customer_id text, subscription_id text, offer_id uuid')} AS asked
        CROSS JOIN LATERAL (VALUES (customer_id), ('subscription ' || subscription_id)) AS acceptor (name)
        WHERE workspace_id = ANY ($1::uuid[]) AND name IS NOT NULL ORDER BY key
      ) AS ordered`,
      accepting,
    );
  }

  /**
   * Stores steps and where they led, records how sessions ended, and leaves billing its jobs, which it returns.
   * Comments of an erased customer are not stored.
   */
  async write(moves: Move[]): Promise<NewJob[]> {
    const ends = moves.flatMap(({ session: { workspace_id, id }, position: { status } }) =>
      status === 'in_progress' ? [] : [{ workspace_id, type: `session.${status}` as const, flow_session_id: id }],
    );
    const jobs = moves.flatMap((move) => jobOf(move) ?? []);
    const [, , , left] = await Promise.all([
      this.move(moves),
      this.insert(moves),
      this.record(ends),
      jobs.length > 0 ? this.send<NewJob>('steps-leave-jobs', LEAVE_JOBS, jobs) : [],
    ]);
    return left;
  }

  private move(moves: Move[]): Promise<unknown> {
    return this.send(
      'steps-move',
      `UPDATE flow_sessions SET status = moved.status, current_node_key = moved.node_key,
        presented_offer = moved.presented_offer, accepted_offer = moved.accepted_offer,
        saved_by_offer = moved.accepted_offer IS NOT NULL, updated_at = ${NOW},
        eligibility = CASE WHEN moved.status IN ('in_progress', 'contacted') THEN eligibility ELSE moved.kept END,
        ended_at = CASE WHEN moved.status <> 'in_progress' THEN ${NOW} END
      FROM ${jsonRows(
        '$2',
        'workspace_id uuid, id uuid, status text, node_key text, presented_offer jsonb, accepted_offer jsonb, kept jsonb',
      )} AS moved
      WHERE flow_sessions.workspace_id = ANY ($1::uuid[])
        AND flow_sessions.workspace_id = moved.workspace_id AND flow_sessions.id = moved.id`,
      moves.map((move) => {
        const { workspace_id, id } = move.session;
        return { ...move.position, workspace_id, id, kept: keptOf(move) };
      }),
    );
  }

  private insert(moves: Move[]): Promise<unknown> {
    return this.send(
      'steps-insert',
      `INSERT INTO session_steps
        (workspace_id, flow_session_id, position, node_key, node_type, action, option, options, comment, words,
          months, result, offer, ways, withheld, withheld_reasons, created_at)
      SELECT workspace_id, flow_session_id, number + (
          SELECT count(*) FROM session_steps AS earlier
          WHERE earlier.workspace_id = ANY ($1::uuid[])
            AND earlier.workspace_id = step.workspace_id AND earlier.flow_session_id = step.flow_session_id
        ), node_key, node_type, action, option, options, comment, words, months, result, offer, ways,
          withheld, withheld_reasons, ${NOW}
      FROM ${jsonRows(
        '$2',
        `workspace_id uuid, flow_session_id uuid, number integer, node_key text, node_type text, action text, option text,
          options jsonb, comment text, words tsvector, months smallint, result jsonb, offer jsonb, ways jsonb, withheld jsonb, withheld_reasons jsonb`,
      )} AS step`,
      moves.flatMap(({ session: { workspace_id, id, is_erased }, steps }) =>
        steps.map((step, index) => ({
          ...step,
          workspace_id,
          flow_session_id: id,
          number: index + 1,
          comment: is_erased ? null : step.comment,
          result: is_erased ? null : step.result,
          words: is_erased || step.comment === undefined ? null : wordsOf(workspace_id, step.comment),
          withheld: step.withheld && Object.keys(step.withheld),
          withheld_reasons: step.withheld,
        })),
      ),
    );
  }
}

/** What the customer was told of the end, so that it is told again to a step that is repeated. */
function keptOf({ session: { eligibility, ends }, version, position: { status } }: Move): Eligibilities | undefined {
  const isTold = ends !== null && status === 'canceled' && version.after_cancel === 'stay';
  return isTold ? { [CANCELLATION]: eligibility![CANCELLATION] } : undefined;
}

/** The job for billing after a step that ended its session, if there is one. */
function jobOf({ session, version, position, steps }: Move): object | undefined {
  const { workspace_id, id, connection, subscription_id, eligibility } = session;
  const { status, accepted_offer: offer } = position;
  // Who is contacted has decided nothing.
  if (
    !connection ||
    status === 'in_progress' ||
    status === 'contacted' ||
    (status === 'canceled' && !version.cancel_in_billing)
  )
    return undefined;
  const shown = steps.at(-1)?.offer;
  const ofOffer = offer && shown ? eligibilityOf(shown, eligibility) : undefined;
  const said = status === 'canceled' ? eligibility?.[CANCELLATION] : ofOffer;
  const isPossible = said && !said.left_to_person && said.obstacle === undefined;
  const carried_out_by = carrierOf({ connection, subscription_id, offer, isPossible });
  const action = offer ? 'apply' : status === 'saved' ? 'keep' : 'cancel';
  return { workspace_id, id, action, mode: connection.mode, carried_out_by };
}
