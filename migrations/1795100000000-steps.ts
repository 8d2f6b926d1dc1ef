import { MigrationInterface, QueryRunner } from 'typeorm';

/** Flows with a graph of the client's, sessions that are walked to their end, and the log of their steps. */
export class Steps1795100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE flow_versions
        DROP CONSTRAINT flow_versions_flow_mode_check,
        ADD CONSTRAINT flow_versions_flow_mode_check CHECK (flow_mode IN ('simple', 'advanced'))`);

    // What was shown is what counts: the offer as it was presented, and as it was accepted.
    await runner.query(`
      ALTER TABLE flow_sessions
        ADD COLUMN presented_offer jsonb,
        ADD COLUMN accepted_offer jsonb,
        DROP CONSTRAINT flow_sessions_status_check,
        ADD CONSTRAINT flow_sessions_status_check CHECK (status IN ('in_progress', 'saved', 'canceled')),
        ADD CONSTRAINT flow_sessions_accepted_offer_check CHECK (accepted_offer IS NULL OR status = 'saved')`);

    // Numbered within their session, so that a step that is written twice is refused by the key.
    await runner.query(`
      CREATE TABLE session_steps (
        workspace_id uuid NOT NULL,
        session_id uuid NOT NULL,
        position integer NOT NULL,
        node_key text NOT NULL,
        node_type text NOT NULL,
        action text NOT NULL,
        option text,
        comment text,
        offer jsonb,
        created_at timestamptz NOT NULL,
        CONSTRAINT session_steps_pkey PRIMARY KEY (workspace_id, session_id, position),
        CONSTRAINT session_steps_session_fkey FOREIGN KEY (session_id, workspace_id)
          REFERENCES flow_sessions (id, workspace_id),
        CONSTRAINT session_steps_position_check CHECK (position >= 1),
        CONSTRAINT session_steps_node_type_check CHECK (node_type IN ('start', 'survey', 'offer', 'confirm')),
        CONSTRAINT session_steps_comment_check CHECK (char_length(comment) <= 5000)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE session_steps`);
    await runner.query(`
      ALTER TABLE flow_sessions
        DROP COLUMN presented_offer,
        DROP COLUMN accepted_offer,
        DROP CONSTRAINT flow_sessions_status_check,
        ADD CONSTRAINT flow_sessions_status_check CHECK (status IN ('in_progress'))`);
    await runner.query(`
      ALTER TABLE flow_versions
        DROP CONSTRAINT flow_versions_flow_mode_check,
        ADD CONSTRAINT flow_versions_flow_mode_check CHECK (flow_mode IN ('simple'))`);
  }
}
