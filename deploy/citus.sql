-- Distributes the tables by workspace. Run on the coordinator, with no process of the service running: docs/citus.md.

-- A directory can't reference a distributed table.
ALTER TABLE api_keys DROP CONSTRAINT api_keys_workspace_id_fkey;
ALTER TABLE flow_slugs DROP CONSTRAINT flow_slugs_flow_fkey;
ALTER TABLE members DROP CONSTRAINT members_workspace_id_fkey;
ALTER TABLE invitations DROP CONSTRAINT invitations_workspace_id_fkey;
ALTER TABLE workspace_codes DROP CONSTRAINT workspace_codes_workspace_id_fkey;
-- A flow and its version reference each other: one of the two waits.
ALTER TABLE flows DROP CONSTRAINT flows_current_version_fkey;

SELECT create_distributed_table('workspaces', 'id');
SELECT create_distributed_table('customer_keys', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('images', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('offers', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('offer_versions', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('offer_drafts', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('changes', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('idempotency_keys', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('audiences', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('flows', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('flow_versions', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('flow_drafts', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('flow_sessions', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('session_steps', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('billing_connections', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('fulfilments', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('outcomes', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('previews', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('daily_sums', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('outbox', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('events', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('webhooks', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('deliveries', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('abandonment_cursors', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('declarations', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('erasures', 'workspace_id', colocate_with => 'workspaces');
SELECT create_distributed_table('removed_members', 'workspace_id', colocate_with => 'workspaces');

-- On every server: the directories that lead from a code, a key, a slug, a person or a link to a workspace, people, and what was migrated.
SELECT create_reference_table('workspace_codes');
SELECT create_reference_table('api_keys');
SELECT create_reference_table('flow_slugs');
SELECT create_reference_table('people');
SELECT create_reference_table('members');
SELECT create_reference_table('person_sessions');
SELECT create_reference_table('one_time_links');
SELECT create_reference_table('invitations');
SELECT create_reference_table('migrations');

ALTER TABLE flows ADD CONSTRAINT flows_current_version_fkey
  FOREIGN KEY (workspace_id, id, current_version) REFERENCES flow_versions (workspace_id, flow_id, version)
  DEFERRABLE INITIALLY DEFERRED;
