import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  type CallToolResult,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import packageJson from '../package.json' with { type: 'json' };
import { ApiError, type ClientOptions, etagOf, RetentionFlow } from '../src/index.ts';
import type { Body } from '../src/types.ts';
import { failure, ofCustomers, result, WARNING } from './mcp-result.ts';

export interface McpOptions {
  /** Adds the tool that makes drafts. No tool publishes. */
  write: boolean;
  /** Shows who the customers are. */
  personalData: boolean;
}

const id = z.uuid();
const read = { from_line: z.int().min(1).optional().describe('Where to go on after a result that was cut') };
const page = {
  ...read,
  limit: z.int().min(1).max(100).optional(),
  cursor: z.string().max(2000).optional().describe('The next_cursor of the page before'),
};
const time = z.string().max(35).optional();
const span = {
  from: time.describe('Sessions that began at this time or later: 2027-01-31, or 2027-01-31T12:00:00Z'),
  to: time.describe('Sessions that began before this time'),
};
const interval = z.enum(['day', 'month']).optional().describe('Also by day or month, and as many of them before');
const where = z
  .string()
  .max(8000)
  .optional()
  .describe('Only sessions for which these conditions hold, as JSON like the `when` of a branch');
const by = z.string().max(200).optional().describe('Counts by this attribute of customers, too');
const status = z.enum(['in_progress', 'saved', 'canceled', 'abandoned']).optional();

const INSTRUCTIONS = `Flows are what customers go through when they want to cancel a subscription: questions and offers. Read the
numbers and the comments of a flow to say why customers leave. To propose a change, read the flow, or its draft if it has
one, and save a draft: a person publishes it. ${WARNING}`;

/** Serves a workspace to an assistant (Model Context Protocol), on standard input and output, until the input ends. */
export async function serveMcp(client: ClientOptions, { write, personalData }: McpOptions): Promise<void> {
  const rf = new RetentionFlow(client);
  const server = new McpServer(
    { name: 'retention-flow', version: packageJson.version },
    { instructions: INSTRUCTIONS, capabilities: { resources: {}, prompts: {} } },
  );
  // Some assistants ask for them whatever a server says it has.
  server.server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [] }));
  server.server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [] }));
  server.server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [] }));
  const replacer = ofCustomers(personalData);

  /** A tool that reads. */
  const reader = <Shape extends z.ZodRawShape>(
    name: string,
    description: string,
    shape: Shape,
    answer: (args: z.output<z.ZodObject<Shape>>) => Promise<CallToolResult>,
  ) => {
    const inputSchema: z.ZodObject = z.strictObject(shape);
    server.registerTool(name, { description, inputSchema, annotations: { readOnlyHint: true } }, (args) =>
      answer(args as z.output<z.ZodObject<Shape>>).catch(failed),
    );
  };

  reader('list_flows', 'Lists flows, newest first.', page, async ({ from_line: fromLine, ...query }) =>
    result(await rf.flows.list(query), { fromLine }),
  );
  reader('list_offers', 'Lists the offers that flows may make.', page, async ({ from_line: fromLine, ...query }) =>
    result(await rf.offers.list({ ...query, status: 'active' }), { fromLine }),
  );
  reader(
    'list_audiences',
    'Lists the audiences: conditions with a name, which a branch goes by as {"audience": id}.',
    page,
    async ({ from_line: fromLine, ...query }) => result(await rf.audiences.list(query), { fromLine }),
  );
  reader(
    'read_flow',
    'Reads what is live of a flow, with its etag.',
    { flow_id: id, ...read },
    async ({ flow_id, from_line: fromLine }) => {
      const answer = await rf.flows.get(flow_id);
      const { notification_email: _, metadata: __, ...flow } = answer;
      return result({ etag: etagOf(answer), ...(personalData ? answer : flow) }, { fromLine });
    },
  );
  reader(
    'read_draft',
    'Reads the draft of a flow, with its etag and its faults.',
    { flow_id: id, ...read },
    async ({ flow_id, from_line: fromLine }) => {
      const draft = await rf.flows.draft(flow_id);
      return result({ etag: etagOf(draft), ...draft }, { fromLine });
    },
  );
  reader(
    'read_numbers',
    'Reads the numbers of a flow: save rates, reasons for leaving, results of offers and experiments. The last 30 days unless told.',
    {
      flow_id: id,
      ...span,
      ...read,
      interval,
      ...((personalData ? { by, where } : {}) as { by: typeof by; where: typeof where }),
    },
    async ({ flow_id, from_line: fromLine, ...query }) =>
      result(await rf.flows.stats(flow_id, query), { fromLine, replacer }),
  );
  reader(
    'read_daily_numbers',
    'Reads how many sessions of a flow began on each day, and how they ended.',
    { flow_id: id, ...span, ...read },
    async ({ flow_id, from_line: fromLine, ...query }) =>
      result(await rf.flows.statsDaily(flow_id, query), { fromLine }),
  );
  reader(
    'read_node_numbers',
    'Reads how many sessions came to each node of a version of a flow, and where they went on or stopped.',
    { flow_id: id, version: z.int().min(1).optional(), ...span, ...read },
    async ({ flow_id, from_line: fromLine, ...query }) =>
      result(await rf.flows.statsNodes(flow_id, query), { fromLine }),
  );
  reader(
    'list_comments',
    'Lists what customers wrote with their answers, newest session first.',
    { flow_id: id.optional(), option: z.string().max(200).optional(), ...span, ...page },
    async ({ from_line: fromLine, ...query }) => result(await rf.comments.list(query), { fromLine, replacer }),
  );
  reader(
    'list_sessions',
    'Lists sessions, newest first: how they ended, and what was answered.',
    { flow_id: id.optional(), status, ...span, ...page },
    async ({ from_line: fromLine, ...query }) => result(await rf.sessions.list(query), { fromLine, replacer }),
  );
  reader(
    'read_session',
    'Reads a session with each step.',
    { session_id: id, ...read },
    async ({ session_id, from_line: fromLine }) => result(await rf.sessions.get(session_id), { fromLine, replacer }),
  );

  if (write) {
    const object = z.record(z.string(), z.unknown());
    server.registerTool(
      'save_draft',
      {
        description:
          'Changes the fields of the draft of a flow that are given, in the form that read_flow shows. Nothing goes live: a person publishes the draft. It answers the draft with its faults.',
        inputSchema: z.strictObject({
          flow_id: id,
          // Not "*", which would overwrite what nobody has read.
          etag: z
            .string()
            .max(200)
            .regex(/^"[^"]+"$/)
            .describe('Of read_draft, or of read_flow if the flow has no draft'),
          changes: z.strictObject({
            name: z.string().optional(),
            product_name: z.string().optional(),
            flow_mode: z.enum(['simple', 'advanced']).optional(),
            survey: object.nullable().optional(),
            definition: object.optional(),
            offer_ids: z.array(id).optional(),
          }),
        }),
        annotations: { readOnlyHint: false, destructiveHint: false },
      },
      async ({ flow_id, etag, changes }) => {
        try {
          const draft = await rf.flows.saveDraft(flow_id, changes as Body<'flows_saveDraft'>, { ifMatch: etag });
          return result({ etag: etagOf(draft), ...draft });
        } catch (error) {
          return failed(error);
        }
      },
    );
  }

  await server.connect(new StdioServerTransport());
}

/** What an assistant can put right, it is told; each fault with its pointer. */
function failed(error: unknown): CallToolResult {
  if (!(error instanceof ApiError)) return failure(String(error));
  const faults = error.fields.map(({ pointer, message }) => `\n${pointer} ${message}`);
  return failure(`${error.status} ${error.code}: ${error.message}${faults.join('')}`);
}
