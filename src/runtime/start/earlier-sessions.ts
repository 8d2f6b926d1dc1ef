import { MAX_EARLIER } from '../../conditions/facts';

/** SQL for the newest sessions of the customer of `begun`. */
const earlier = (isOver: string) => `(
          SELECT status, id, ended_at, updated_at, accepted_offer, customer_verified FROM flow_sessions AS session
          WHERE session.workspace_id = ANY ($1::uuid[]) AND session.workspace_id = begun.workspace_id
            AND session.customer_id = begun.customer_id AND (session.status <> 'in_progress') ${isOver}
          ORDER BY session.id DESC LIMIT ${MAX_EARLIER}
        )`;

/**
 * SQL for the facts that the earlier sessions of the customer of `begun` say, as a JSON object. Sessions without a
 * token do not count for a customer with one, but are among those that are looked at.
 *
 * @param time SQL for the time of the start
 */
export const factsOfSessions = (time: string) => `(
        SELECT jsonb_strip_nulls(jsonb_build_object(
          'sessions', 1 + count(*),
          'saves', count(*) FILTER (WHERE status = 'saved'),
          'days_since_saved', floor(extract(epoch FROM ${time} - max(coalesce(ended_at, updated_at)) FILTER (WHERE status = 'saved')) / 86400),
          'last_offer', (array_agg(accepted_offer ->> 'id' ORDER BY id DESC) FILTER (WHERE accepted_offer IS NOT NULL))[1]
        )) FROM (${earlier('IS TRUE')} UNION ALL ${earlier('IS FALSE')}) AS earlier
        WHERE earlier.customer_verified OR NOT begun.customer_verified
      )`;
