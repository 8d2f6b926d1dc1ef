import type { PoolClient } from 'pg';
import { jsonRows } from '../../database/json-rows';
import type { Pooler } from '../../database/pooler';
import { NOW } from '../../database/time';
import { outboxInsert } from '../../events/outbox.service';
import type { ShownNode } from '../../flows/flow-definition';
import { SHOWN, type ShownOffer } from '../../offers/offer-content';
import type { Offer } from '../../offers/offer.entity';
import type { SessionStep } from '../session-step.entity';
import type { Known } from './conditions';
import type { Standing, TakenStep } from './next-step';

/** In SQL: the columns of a `LockedSession`. */
export const LOCKED = `workspace_id, session.id, session_id, flow_id, flow_version, status, current_node_key AS node_key,
          presented_offer, accepted_offer, erased_at IS NOT NULL AS is_erased`;

/** What a session is found by. */
export interface SessionKey {
  workspaceId: string;
  sessionId: string;
}

/** A session under lock: what decides where a step leads. */
export interface LockedSession extends Standing<ShownOffer> {
  workspace_id: string;
  id: string;
  session_id: string;
  flow_id: string;
  flow_version: number;
  is_erased: boolean;
}

type OfferKey = Pick<Offer, 'workspace_id' | 'id'>;
type EarlierStep = TakenStep<ShownOffer> & Pick<SessionStep, 'workspace_id' | 'flow_session_id'>;

interface Statement {
  name: string;
  text: string;
  values: object[][];
}

/** The steps that a session took, and where they led. */
export interface Move {
  session: LockedSession;
  standing: Standing<ShownOffer>;
  /** Oldest first. */
  steps: (TakenStep<ShownOffer> & { node_type: ShownNode['type'] })[];
}

/** The customer of a session, as far as it decides where a step leads. */
export interface StepCustomer {
  workspace_id: string;
  id: string;
  customer_id: string | null;
  attributes: Known['attributes'] | null;
}

/** The end of a session, as an event. */
export interface End {
  workspace_id: string;
  type: 'session.saved' | 'session.canceled';
  flow_session_id: string;
}

/**
 * The statements that take steps, each for many sessions. The SQL is written by hand, because mapping entities costs more
 * than the statements.
 */
export class StepStatements {
  /** @param workspaceId the one workspace of all sessions, if Citus spreads the tables and has to be told where it looks */
  constructor(
    protected readonly client: PoolClient,
    private readonly pooler: Pooler,
    private readonly workspaceId?: string,
  ) {}

  /** Locks and reads sessions. Those that somebody else has locked are waited for, or left out. */
  lock(keys: SessionKey[], whenLocked: 'wait' | 'leave out'): Promise<LockedSession[]> {
    const leaveOut = whenLocked === 'leave out';
    return this.send({
      name: leaveOut ? 'steps-lock-free' : 'steps-lock',
      text: `SELECT ${LOCKED}
        FROM ${jsonRows('$1', 'workspace_id uuid, session_id uuid')} AS asked
        JOIN flow_sessions AS session USING (workspace_id, session_id)
        FOR NO KEY UPDATE OF session ${leaveOut ? 'SKIP LOCKED' : ''}`,
      values: [keys.map(({ workspaceId, sessionId }) => ({ workspace_id: workspaceId, session_id: sessionId }))],
    });
  }

  /** Reads the steps that sessions took, oldest first. */
  async stepsOf(sessions: LockedSession[]): Promise<EarlierStep[]> {
    if (sessions.length === 0) return [];
    const steps = await this.send<Omit<SessionStep, 'ways'>>({
      name: 'steps-earlier',
      text: `SELECT workspace_id, flow_session_id, node_key, action, option, comment, offer
        FROM ${jsonRows('$1', 'workspace_id uuid, flow_session_id uuid')} AS asked
        JOIN session_steps USING (workspace_id, flow_session_id) ${this.where('session_steps')}
        ORDER BY position`,
      values: [sessions.map(({ workspace_id, id }) => ({ workspace_id, flow_session_id: id }))],
    });
    return steps.map(({ option, comment, ...step }) => {
      return { ...step, option: option ?? undefined, comment: comment ?? undefined };
    });
  }

  /** Reads the customers of locked sessions. */
  async customersOf(sessions: LockedSession[]): Promise<StepCustomer[]> {
    if (sessions.length === 0) return [];
    return this.send({
      name: 'steps-customers',
      text: `SELECT workspace_id, id, customer_id, customer -> 'attributes' AS attributes
        FROM ${jsonRows('$1', 'workspace_id uuid, id uuid')} AS asked
        JOIN flow_sessions USING (workspace_id, id) ${this.where('flow_sessions')}`,
      values: [sessions.map(({ workspace_id, id }) => ({ workspace_id, id }))],
    });
  }

  /** Reads offers, if they are active. */
  async activeOffers(asked: OfferKey[]): Promise<(OfferKey & ShownOffer)[]> {
    if (asked.length === 0) return [];
    return this.send({
      name: 'steps-offers',
      text: `SELECT workspace_id, ${SHOWN.join(', ')}
        FROM (SELECT DISTINCT * FROM ${jsonRows('$1', 'workspace_id uuid, id uuid')} AS named) AS asked
        JOIN (SELECT * FROM offers ${this.where('offers')}) AS offer USING (workspace_id, id)
        WHERE status = 'active'`,
      values: [asked],
    });
  }

  /** Stores steps, and where they led. Comments of an erased customer are not stored. */
  async write(moves: Move[]): Promise<void> {
    await this.send({
      name: 'steps-write',
      text: `WITH moved AS (
          UPDATE flow_sessions SET status = moved.status, current_node_key = moved.node_key,
            presented_offer = moved.presented_offer, accepted_offer = moved.accepted_offer, updated_at = ${NOW}
          FROM ${jsonRows(
            '$1',
            'workspace_id uuid, id uuid, status text, node_key text, presented_offer jsonb, accepted_offer jsonb',
          )} AS moved
          WHERE flow_sessions.workspace_id = moved.workspace_id AND flow_sessions.id = moved.id
        )
        INSERT INTO session_steps
          (workspace_id, flow_session_id, position, node_key, node_type, action, option, comment, offer, ways, created_at)
        SELECT workspace_id, flow_session_id, number + (
            SELECT count(*) FROM session_steps AS earlier
            WHERE earlier.workspace_id = step.workspace_id AND earlier.flow_session_id = step.flow_session_id
          ), node_key, node_type, action, option, comment, offer, ways, ${NOW}
        FROM ${jsonRows(
          '$2',
          `workspace_id uuid, flow_session_id uuid, number integer, node_key text, node_type text, action text, option text,
            comment text, offer jsonb, ways jsonb`,
        )} AS step`,
      values: [
        moves.map(({ session: { workspace_id, id }, standing }) => ({ ...standing, workspace_id, id })),
        moves.flatMap(({ session: { workspace_id, id, is_erased }, steps }) =>
          steps.map((step, index) => ({
            ...step,
            workspace_id,
            flow_session_id: id,
            number: index + 1,
            comment: is_erased ? null : step.comment,
          })),
        ),
      ],
    });
  }

  /** Records how sessions ended. */
  async record(ends: End[]): Promise<void> {
    if (ends.length > 0) await this.client.query(this.pooler.prepared(outboxInsert(ends)));
  }

  /** Each value is an array of rows. */
  private async send<Row extends object>({ name, text, values }: Statement): Promise<Row[]> {
    const query = {
      name: this.workspaceId ? undefined : name,
      text,
      values: values.map((rows) => JSON.stringify(rows)),
    };
    const { rows } = await this.client.query<Row>(this.pooler.prepared(query));
    return rows;
  }

  private where(table: string): string {
    return this.workspaceId ? `WHERE ${table}.workspace_id = '${this.workspaceId}'` : '';
  }
}
