import type { PoolClient, QueryConfig } from 'pg';
import { NOW } from '../../database/time';
import type { FlowNode } from '../../flows/flow-definition';
import { OFFER_CONTENT, type PresentedOffer } from '../../offers/offer-content';
import type { Offer } from '../../offers/offer.entity';
import type { SessionStep } from '../session-step.entity';
import type { Standing, TakenStep } from './next-step';

/** What a session is found by. */
export interface SessionKey {
  workspaceId: string;
  sessionId: string;
}

/** A session under lock: what decides where a step leads. */
export interface LockedSession extends Standing<PresentedOffer> {
  workspace_id: string;
  id: string;
  session_id: string;
  flow_id: string;
  flow_version: number;
  is_erased: boolean;
}

type OfferKey = Pick<Offer, 'workspace_id' | 'id'>;
type EarlierStep = TakenStep<PresentedOffer> & Pick<SessionStep, 'workspace_id' | 'flow_session_id'>;

/** The steps that a session took, and where they led. */
export interface Move {
  session: LockedSession;
  standing: Standing<PresentedOffer>;
  /** Oldest first. */
  steps: (TakenStep<PresentedOffer> & { node_type: FlowNode['type'] })[];
}

/**
 * The statements that take steps, each for many sessions. The SQL is written by hand, because mapping entities costs more
 * than the statements.
 *
 * Postgres keeps the plan of a named statement, and may make it while the tables are small. So that the plan stays right as
 * they grow, it may not scan tables (`enable_seqscan`), and expects a single session (`rows`): it takes an index for each.
 */
export class StepStatements {
  constructor(
    private readonly client: PoolClient,
    /** Whether the connection keeps prepared statements. Behind a pooler it doesn't. */
    private readonly canPrepare: boolean,
  ) {}

  /** Locks and reads sessions. Those that somebody else has locked are waited for, or left out. */
  async lock(keys: SessionKey[], whenLocked: 'wait' | 'leave out'): Promise<LockedSession[]> {
    const leaveOut = whenLocked === 'leave out';
    const planning = this.client.query('SET LOCAL enable_seqscan = off');
    const locked = this.send<LockedSession>({
      name: leaveOut ? 'steps-lock-free' : 'steps-lock',
      text: `SELECT session.workspace_id, session.id, session.session_id, session.flow_id, session.flow_version, session.status,
          session.current_node_key AS node_key, session.presented_offer, session.accepted_offer,
          session.erased_at IS NOT NULL AS is_erased
        FROM ${rows('$1::uuid[], $2::uuid[]', 'workspace_id, session_id', '$3')} AS asked
        JOIN flow_sessions session USING (workspace_id, session_id)
        FOR NO KEY UPDATE OF session ${leaveOut ? 'SKIP LOCKED' : ''}`,
      values: [keys.map(({ workspaceId }) => workspaceId), keys.map(({ sessionId }) => sessionId), keys.length],
    });
    const [sessions] = await Promise.all([locked, planning]);
    return sessions;
  }

  /** Reads the steps that sessions took, oldest first. */
  async stepsOf(sessions: LockedSession[]): Promise<EarlierStep[]> {
    if (sessions.length === 0) return [];
    const steps = await this.send<SessionStep>({
      name: 'steps-earlier',
      text: `SELECT workspace_id, flow_session_id, node_key, action, option, comment, offer
        FROM ${rows('$1::uuid[], $2::uuid[]', 'workspace_id, flow_session_id', '$3')} AS asked
        JOIN session_steps USING (workspace_id, flow_session_id)
        ORDER BY position`,
      values: [sessions.map(({ workspace_id }) => workspace_id), sessions.map(({ id }) => id), sessions.length],
    });
    return steps.map(({ option, comment, ...step }) => {
      return { ...step, option: option ?? undefined, comment: comment ?? undefined };
    });
  }

  /** Reads offers, if they are active. */
  async activeOffers(asked: OfferKey[]): Promise<(OfferKey & PresentedOffer)[]> {
    if (asked.length === 0) return [];
    return this.send({
      name: 'steps-offers',
      text: `SELECT DISTINCT workspace_id, ${OFFER_CONTENT.join(', ')}
        FROM ${rows('$1::uuid[], $2::uuid[]', 'workspace_id, id', '$3')} AS asked
        JOIN offers USING (workspace_id, id)
        WHERE status = 'active'`,
      values: [asked.map(({ workspace_id }) => workspace_id), asked.map(({ id }) => id), asked.length],
    });
  }

  /** Stores steps, and where they led. Comments of an erased customer are not stored. */
  async write(moves: Move[]): Promise<void> {
    const steps = moves.flatMap(({ session, steps }) =>
      steps.map((step, index) => ({ session, step, number: index + 1 })),
    );
    const ofMoves = (value: (move: Move) => unknown) => moves.map(value);
    const ofSteps = (value: (step: (typeof steps)[number]) => unknown) => steps.map(value);
    await this.send({
      name: 'steps-write',
      text: `WITH moved AS (
          UPDATE flow_sessions SET status = moved.status, current_node_key = moved.node_key,
            presented_offer = moved.presented_offer, accepted_offer = moved.accepted_offer, updated_at = ${NOW}
          FROM ${rows(
            '$1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::jsonb[], $6::jsonb[]',
            'workspace_id, id, status, node_key, presented_offer, accepted_offer',
            '$7',
          )} AS moved
          WHERE flow_sessions.workspace_id = moved.workspace_id AND flow_sessions.id = moved.id
        )
        INSERT INTO session_steps
          (workspace_id, flow_session_id, position, node_key, node_type, action, option, comment, offer, created_at)
        SELECT workspace_id, flow_session_id, number + (
            SELECT count(*) FROM session_steps earlier
            WHERE earlier.workspace_id = step.workspace_id AND earlier.flow_session_id = step.flow_session_id
          ), node_key, node_type, action, option, comment, offer, ${NOW}
        FROM ${rows(
          '$8::uuid[], $9::uuid[], $10::integer[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::jsonb[]',
          'workspace_id, flow_session_id, number, node_key, node_type, action, option, comment, offer',
          '$17',
        )} AS step`,
      values: [
        ofMoves(({ session }) => session.workspace_id),
        ofMoves(({ session }) => session.id),
        ofMoves(({ standing }) => standing.status),
        ofMoves(({ standing }) => standing.node_key),
        ofMoves(({ standing }) => json(standing.presented_offer)),
        ofMoves(({ standing }) => json(standing.accepted_offer)),
        moves.length,
        ofSteps(({ session }) => session.workspace_id),
        ofSteps(({ session }) => session.id),
        ofSteps(({ number }) => number),
        ofSteps(({ step }) => step.node_key),
        ofSteps(({ step }) => step.node_type),
        ofSteps(({ step }) => step.action),
        ofSteps(({ step }) => step.option),
        ofSteps(({ session, step }) => (session.is_erased ? null : step.comment)),
        ofSteps(({ step }) => json(step.offer)),
        steps.length,
      ],
    });
  }

  private async send<Row extends object>(query: QueryConfig): Promise<Row[]> {
    const { rows } = await this.client.query<Row>(this.canPrepare ? query : { ...query, name: undefined });
    return rows;
  }
}

/** Null stays null in SQL, and does not become the null of JSON. */
function json(value: object | null): string | null {
  return value && JSON.stringify(value);
}

/** Rows of arrays, an array for each column. The limit is their number: it keeps all, but the planner expects a single row. */
function rows(arrays: string, columns: string, count: string): string {
  return `(SELECT * FROM unnest(${arrays}) AS given (${columns}) LIMIT ${count})`;
}
