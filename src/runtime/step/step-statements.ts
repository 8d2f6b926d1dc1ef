import type { PoolClient, QueryConfig } from 'pg';
import { NOW } from '../../database/time';
import type { FlowNode } from '../../flows/flow-definition';
import { OFFER_CONTENT, type PresentedOffer } from '../../offers/offer-content';
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

type EarlierStep = TakenStep<PresentedOffer> & Pick<SessionStep, 'workspace_id' | 'flow_session_id'>;
type OfferRow = PresentedOffer & { workspace_id: string };

/** The steps that a session took, and where they led. */
export interface Move {
  session: LockedSession;
  standing: Standing<PresentedOffer>;
  /** Oldest first. */
  steps: (TakenStep<PresentedOffer> & { node_type: FlowNode['type'] })[];
}

/**
 * The statements that take steps, each for many sessions. The SQL is written by hand, because mapping entities costs more
 * than the statements. A LATERAL subquery with a lock, an order or a limit is evaluated once for each row before it, by an
 * index: a plan that was made while the tables were small stays right.
 */
export class StepStatements {
  constructor(
    private readonly client: PoolClient,
    /** Whether the connection keeps prepared statements. Behind a pooler it doesn't. */
    private readonly canPrepare: boolean,
  ) {}

  /** Locks and reads sessions. Those that somebody else has locked are waited for, or left out. */
  lock(keys: SessionKey[], whenLocked: 'wait' | 'leave out'): Promise<LockedSession[]> {
    const leaveOut = whenLocked === 'leave out';
    return this.send({
      name: leaveOut ? 'steps-lock-free' : 'steps-lock',
      text: `SELECT session.* FROM unnest($1::uuid[], $2::uuid[]) AS asked (workspace_id, session_id)
        CROSS JOIN LATERAL (
          SELECT workspace_id, id, session_id, flow_id, flow_version, status, current_node_key AS node_key, presented_offer,
            accepted_offer, erased_at IS NOT NULL AS is_erased
          FROM flow_sessions WHERE workspace_id = asked.workspace_id AND session_id = asked.session_id
          FOR NO KEY UPDATE ${leaveOut ? 'SKIP LOCKED' : ''}
        ) AS session`,
      values: [keys.map(({ workspaceId }) => workspaceId), keys.map(({ sessionId }) => sessionId)],
    });
  }

  /** Reads the steps that sessions took, oldest first. */
  async stepsOf(sessions: LockedSession[]): Promise<EarlierStep[]> {
    if (sessions.length === 0) return [];
    const steps = await this.send<SessionStep>({
      name: 'steps-earlier',
      text: `SELECT step.* FROM unnest($1::uuid[], $2::uuid[]) AS asked (workspace_id, id)
        CROSS JOIN LATERAL (
          SELECT workspace_id, flow_session_id, node_key, action, option, comment, offer
          FROM session_steps WHERE workspace_id = asked.workspace_id AND flow_session_id = asked.id
          ORDER BY position
        ) AS step`,
      values: [sessions.map(({ workspace_id }) => workspace_id), sessions.map(({ id }) => id)],
    });
    return steps.map(({ option, comment, ...step }) => {
      return { ...step, option: option ?? undefined, comment: comment ?? undefined };
    });
  }

  /** Reads offers, if they are active. */
  async activeOffers(asked: { workspaceId: string; id: string }[]): Promise<OfferRow[]> {
    if (asked.length === 0) return [];
    return this.send({
      name: 'steps-offers',
      text: `SELECT offer.* FROM (SELECT DISTINCT * FROM unnest($1::uuid[], $2::uuid[])) AS asked (workspace_id, id)
        CROSS JOIN LATERAL (
          SELECT workspace_id, ${OFFER_CONTENT.join(', ')}
          FROM offers WHERE workspace_id = asked.workspace_id AND id = asked.id AND status = 'active' LIMIT 1
        ) AS offer`,
      values: [asked.map(({ workspaceId }) => workspaceId), asked.map(({ id }) => id)],
    });
  }

  /** Stores steps, and where they led. Comments of an erased customer are not stored. */
  async write(moves: Move[]): Promise<void> {
    const sessions = moves.map(({ session: { workspace_id, id }, standing }) => ({ workspace_id, id, ...standing }));
    const steps = moves.flatMap(({ session: { workspace_id, id, is_erased }, steps }) =>
      steps.map(({ comment, ...step }, index) => {
        return { workspace_id, flow_session_id: id, number: index + 1, ...step, comment: is_erased ? null : comment };
      }),
    );
    await this.send({
      name: 'steps-write',
      text: `WITH moved AS (
          UPDATE flow_sessions SET status = moved.status, current_node_key = moved.node_key,
            presented_offer = moved.presented_offer, accepted_offer = moved.accepted_offer, updated_at = ${NOW}
          FROM json_to_recordset($1) AS moved
            (workspace_id uuid, id uuid, status text, node_key text, presented_offer jsonb, accepted_offer jsonb)
          WHERE flow_sessions.workspace_id = moved.workspace_id AND flow_sessions.id = moved.id
        )
        INSERT INTO session_steps
          (workspace_id, flow_session_id, position, node_key, node_type, action, option, comment, offer, created_at)
        SELECT step.workspace_id, step.flow_session_id, earlier.count + step.number, node_key, node_type, action, option,
          comment, offer, ${NOW}
        FROM json_to_recordset($2) AS step
          (workspace_id uuid, flow_session_id uuid, number integer, node_key text, node_type text, action text,
            option text, comment text, offer jsonb)
        CROSS JOIN LATERAL (
          SELECT count(*)::integer FROM session_steps
          WHERE workspace_id = step.workspace_id AND flow_session_id = step.flow_session_id
        ) AS earlier`,
      values: [JSON.stringify(sessions), JSON.stringify(steps)],
    });
  }

  private async send<Row extends object>(query: QueryConfig): Promise<Row[]> {
    const { rows } = await this.client.query<Row>(this.canPrepare ? query : { ...query, name: undefined });
    return rows;
  }
}
