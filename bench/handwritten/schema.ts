import { createHash, randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { v7 } from 'uuid';
import { INT4_MAX } from '../../src/common/limits';
import { composeDefinition } from '../../src/flows/flow-definition';
import { createSlug } from '../../src/flows/slug';
import { type Fixture, FLOWS, WORKSPACES } from '../cases';

/** The tables of the hand-written server: what its routes need, keyed and indexed for exactly that. */
const SCHEMA = `
  CREATE TABLE workspaces (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    session_limit integer NOT NULL,
    usage_period timestamptz NOT NULL DEFAULT date_trunc('month', now(), 'UTC'),
    sessions_used integer NOT NULL DEFAULT 0,
    primary_color text NOT NULL DEFAULT '#4f46e5',
    logo_url text NOT NULL DEFAULT ''
  ) WITH (fillfactor = 50);

  CREATE TABLE api_keys (
    hash bytea PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces,
    revoked_at timestamptz
  );

  CREATE TABLE flows (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces,
    slug text NOT NULL UNIQUE,
    status text NOT NULL,
    current_version integer NOT NULL DEFAULT 1,
    description text,
    estimated_monthly_value numeric(12,2),
    notification_email text,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX ON flows (workspace_id, id);

  CREATE TABLE flow_versions (
    flow_id uuid NOT NULL REFERENCES flows,
    version integer NOT NULL DEFAULT 1,
    name text NOT NULL,
    product_name text NOT NULL,
    cancellation_url text NOT NULL,
    flow_mode text NOT NULL DEFAULT 'simple',
    offer_ids uuid[] NOT NULL DEFAULT '{}',
    definition jsonb NOT NULL,
    entry_node jsonb NOT NULL,
    PRIMARY KEY (flow_id, version)
  );

  CREATE TABLE sessions (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    flow_id uuid NOT NULL,
    flow_version integer NOT NULL,
    status text NOT NULL,
    current_node_key text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    FOREIGN KEY (flow_id, flow_version) REFERENCES flow_versions (flow_id, version)
  );

  CREATE TABLE offers (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces,
    name text NOT NULL,
    offer_type text NOT NULL,
    offer_value text NOT NULL,
    offer_duration text NOT NULL,
    heading text NOT NULL,
    body text NOT NULL,
    cta_accept text NOT NULL,
    cta_decline text NOT NULL,
    status text NOT NULL DEFAULT 'active',
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX ON offers (workspace_id, id);
`;

/** Creates the tables in an empty database and fills them with what the service is filled with. */
export async function fillHandwritten(url: string): Promise<Fixture> {
  const client = new Client(url);
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(SCHEMA);
    const { slug: hotSlug } = await publishFlow(client, await createWorkspace(client, 'Hot'));
    const slugs: string[] = [];
    for (let number = 0; number < WORKSPACES; number++) {
      const workspaceId = await createWorkspace(client, `Workspace ${number}`);
      slugs.push((await publishFlow(client, workspaceId)).slug);
    }
    const managed = await createWorkspace(client, 'Managed');
    const apiKey = await issueKey(client, managed);
    const { id: flowId } = await publishFlow(client, managed);
    for (let number = 1; number < FLOWS; number++) await publishFlow(client, managed);
    await client.query('COMMIT');
    return { hotSlug, slugs, apiKey, flowId };
  } finally {
    await client.end();
  }
}

async function createWorkspace(client: Client, name: string): Promise<string> {
  const id = v7();
  await client.query('INSERT INTO workspaces (id, name, session_limit) VALUES ($1, $2, $3)', [id, name, INT4_MAX]);
  return id;
}

async function issueKey(client: Client, workspaceId: string): Promise<string> {
  const key = `key_${randomBytes(32).toString('hex')}`;
  const hash = createHash('sha256').update(key).digest();
  await client.query('INSERT INTO api_keys (hash, workspace_id) VALUES ($1, $2)', [hash, workspaceId]);
  return key;
}

async function publishFlow(client: Client, workspaceId: string): Promise<{ id: string; slug: string }> {
  const id = v7();
  const name = 'Leaving Acme Pro';
  const slug = createSlug(name);
  const definition = composeDefinition('Acme Pro', []);
  const { key, type, config } = definition.nodes[0];
  await client.query(`INSERT INTO flows (id, workspace_id, slug, status) VALUES ($1, $2, $3, 'published')`, [
    id,
    workspaceId,
    slug,
  ]);
  await client.query(
    `INSERT INTO flow_versions (flow_id, name, product_name, cancellation_url, definition, entry_node)
     VALUES ($1, $2, 'Acme Pro', 'https://acme.example/bye', $3, $4)`,
    [id, name, definition, { key, type, config }],
  );
  return { id, slug };
}
