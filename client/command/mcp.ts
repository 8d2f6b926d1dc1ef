import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import packageJson from '../package.json' with { type: 'json' };
import { ApiError, type ClientOptions, etagOf, RetentionFlow } from '../src/index.ts';
import type { Body, FieldError, Offer, OfferDraft } from '../src/types.ts';
import { failure, ofCustomers, result, WARNING } from './mcp-result.ts';
import { fieldsOf } from './mcp-schemas.ts';

export interface McpOptions {
  /** Adds the tools that make drafts. */
  write: boolean;
  /** Adds the tool that publishes a draft, beside those. */
  allowPublish: boolean;
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
const ofAttribute = {
  attribute: z.string().max(200).optional().describe('Only of customers with this attribute, whose value is value'),
  value: z.string().max(1000).optional().describe('The value of attribute, as text: they go together'),
};
const etag = z
  .string()
  .max(200)
  // Not "*", which would overwrite what nobody has read.
  .regex(/^"[^"]+"$/);
const status = z.enum(['in_progress', 'saved', 'canceled', 'contacted', 'abandoned']).optional();

const INSTRUCTIONS = `Flows are what customers go through when they want to cancel a subscription: questions and offers. Read the
numbers and the comments of a flow to say why customers leave. To propose a change, read the flow or the offer, or its draft if it
has one, and save a draft: a person publishes it, unless there is a tool that does and they ask for it. ${WARNING}`;

/** What a draft of a flow takes. Where customers go is not an assistant's to say. */
const FLOW_FIELDS = ['name', 'product_name', 'flow_mode', 'survey', 'definition', 'offer_ids'] as const;
/**
 * What a draft of an offer takes: its words, its terms, and whom it is for, without what programs read and where
 * customers go.
 */
const OFFER_FIELDS = [
  'name',
  'offer_type',
  'offer_value',
  'offer_duration',
  'heading',
  'body',
  'cta_accept',
  'cta_decline',
  'accepted_title',
  'accepted_body',
  'limit',
  'terms',
  'image',
  'points',
  'translations',
  'available',
  'when',
] as const;

/** Serves a workspace to an assistant (Model Context Protocol), on standard input and output, until the input ends. */
export async function serveMcp(
  client: ClientOptions,
  { write, allowPublish, personalData }: McpOptions,
): Promise<void> {
  const rf = new RetentionFlow(client);
  const server = new McpServer(
    { name: 'retention-flow', version: packageJson.version },
    { instructions: INSTRUCTIONS },
  );
  const replacer = ofCustomers(personalData);

  /** An offer, without what programs read and where customers go unless personal data is shown. */
  const shownOffer = (offer: Offer | OfferDraft) => {
    const { accept_url: _, metadata: __, ...shown } = offer;
    return { etag: etagOf(offer), ...(personalData ? offer : shown) };
  };

  /** A tool, which reads unless told. */
  const tool = <Shape extends z.ZodRawShape>(
    name: string,
    description: string,
    shape: Shape,
    answer: (args: z.output<z.ZodObject<Shape>>) => Promise<CallToolResult>,
    annotations: ToolAnnotations = { readOnlyHint: true },
  ) => {
    const inputSchema: z.ZodObject = z.strictObject(shape);
    server.registerTool(name, { title: titleOf(name), description, inputSchema, annotations }, (args) =>
      answer(args as z.output<z.ZodObject<Shape>>).catch(failed),
    );
  };

  tool('list_flows', 'Lists flows, newest first.', page, async ({ from_line: fromLine, ...query }) =>
    result(await rf.flows.list(query), { fromLine }),
  );
  tool('list_offers', 'Lists the offers that flows may make.', page, async ({ from_line: fromLine, ...query }) =>
    result(await rf.offers.list({ ...query, status: 'active' }), { fromLine }),
  );
  tool(
    'read_offer',
    'Reads what is live of an offer, with its etag.',
    { offer_id: id, ...read },
    async ({ offer_id, from_line: fromLine }) => result(shownOffer(await rf.offers.get(offer_id)), { fromLine }),
  );
  tool(
    'read_offer_draft',
    'Reads the draft of an offer, with its etag and its faults.',
    { offer_id: id, ...read },
    async ({ offer_id, from_line: fromLine }) => result(shownOffer(await rf.offers.draft(offer_id)), { fromLine }),
  );
  tool(
    'read_review',
    'Reads what the laws on cancelling have against a flow, or its draft, by the places where customers live.',
    { flow_id: id, draft: z.boolean().optional().describe('true: the draft, not what is live'), ...read },
    async ({ flow_id, draft = false, from_line: fromLine }) =>
      result(await rf.flows.review(flow_id, { draft: draft ? 'true' : 'false' }), { fromLine }),
  );
  tool(
    'list_audiences',
    'Lists the audiences: conditions with a name, which a branch goes by as {"audience": id}.',
    page,
    async ({ from_line: fromLine, ...query }) => result(await rf.audiences.list(query), { fromLine }),
  );
  tool(
    'read_flow',
    'Reads what is live of a flow, with its etag.',
    { flow_id: id, ...read },
    async ({ flow_id, from_line: fromLine }) => {
      const answer = await rf.flows.get(flow_id);
      const { notification_email: _, metadata: __, ...flow } = answer;
      return result({ etag: etagOf(answer), ...(personalData ? answer : flow) }, { fromLine });
    },
  );
  tool(
    'read_draft',
    'Reads the draft of a flow, with its etag and its faults.',
    { flow_id: id, ...read },
    async ({ flow_id, from_line: fromLine }) => {
      const draft = await rf.flows.draft(flow_id);
      return result({ etag: etagOf(draft), ...draft }, { fromLine });
    },
  );
  tool(
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
  tool(
    'read_daily_numbers',
    'Reads how many sessions of a flow began on each day, and how they ended.',
    { flow_id: id, ...span, ...read },
    async ({ flow_id, from_line: fromLine, ...query }) =>
      result(await rf.flows.statsDaily(flow_id, query), { fromLine }),
  );
  tool(
    'read_node_numbers',
    'Reads how many sessions came to each node of a version of a flow, and where they went on or stopped.',
    { flow_id: id, version: z.int().min(1).optional(), ...span, ...read },
    async ({ flow_id, from_line: fromLine, ...query }) =>
      result(await rf.flows.statsNodes(flow_id, query), { fromLine }),
  );
  tool(
    'list_comments',
    'Lists what customers wrote with their answers, newest session first.',
    {
      flow_id: id.optional(),
      reason: z.string().max(64).optional().describe('Only with this option of a survey'),
      option: z.string().max(64).optional().describe('The same as reason'),
      outcome: status.describe('Only in sessions that have this status now'),
      locale: z.string().max(35).optional(),
      q: z.string().max(200).optional().describe('Only with these words; a phrase in quotes, or, and -word'),
      ...((personalData ? ofAttribute : {}) as typeof ofAttribute),
      ...span,
      ...page,
    },
    async ({ from_line: fromLine, ...query }) => result(await rf.comments.list(query), { fromLine, replacer }),
  );
  tool(
    'list_sessions',
    'Lists sessions, newest first: how they ended, and what was answered.',
    { flow_id: id.optional(), status, ...span, ...page },
    async ({ from_line: fromLine, ...query }) => result(await rf.sessions.list(query), { fromLine, replacer }),
  );
  tool(
    'read_session',
    'Reads a session with each step.',
    { session_id: id, ...read },
    async ({ session_id, from_line: fromLine }) => result(await rf.sessions.get(session_id), { fromLine, replacer }),
  );

  if (write) {
    const drafts = { readOnlyHint: false, destructiveHint: false };
    tool(
      'create_flow',
      'Creates a flow that is a draft: no customer can start it. Save its graph with save_draft.',
      {
        fields: fieldsOf('CreateFlow', ['name', 'product_name', 'cancellation_url', 'locale', 'offer_ids', 'survey']),
      },
      async ({ fields }) => result(await rf.flows.create({ ...(fields as Body<'flows_create'>), status: 'draft' })),
      drafts,
    );
    tool(
      'save_draft',
      'Changes the fields of the draft of a flow that are given, in the form that read_flow shows. Nothing goes live: a person publishes ' +
        'the draft. It answers the draft with its faults, and a link to a preview of it if it has none.',
      {
        flow_id: id,
        etag: etag.describe('Of read_draft, or of read_flow if the flow has no draft'),
        changes: fieldsOf('UpdateFlowDraft', FLOW_FIELDS),
      },
      async ({ flow_id, etag: ifMatch, changes }) => {
        const draft = await rf.flows.saveDraft(flow_id, changes, { ifMatch });
        // The draft is saved, whatever becomes of the preview.
        const isSound = draft.faults.length === 0;
        const preview = isSound ? await rf.flows.preview(flow_id, { draft: true }).catch(() => undefined) : undefined;
        const preview_url = preview ? `${client.baseUrl.replace(/\/$/, '')}/preview#${preview.session_id}` : null;
        return result({ etag: etagOf(draft), preview_url, ...draft }, { goOn: 'read_draft' });
      },
      drafts,
    );
    tool(
      'save_offer_draft',
      'Changes the fields of the draft of an offer that are given, in the form that read_offer shows. Nothing goes live: a person ' +
        'publishes the draft. It answers the draft with its faults.',
      {
        offer_id: id,
        etag: etag.describe('Of read_offer_draft, or of read_offer if the offer has no draft'),
        changes: fieldsOf('UpdateOfferDraft', OFFER_FIELDS),
      },
      async ({ offer_id, etag: ifMatch, changes }) => {
        const draft = await rf.offers.saveDraft(offer_id, changes, { ifMatch });
        return result(shownOffer(draft), { goOn: 'read_offer_draft' });
      },
      drafts,
    );
  }
  if (write && allowPublish) {
    tool(
      'publish_draft',
      'Makes the draft of a flow live: the next customer who wants to cancel sees it. Only when a person has asked for it in this ' +
        'conversation, after they saw the preview.',
      {
        flow_id: id,
        etag: etag.describe('Of the draft that they saw'),
        confirm: z.literal('publish'),
        note: z.string().max(1000).optional().describe('What is new and why'),
      },
      async ({ flow_id, etag: ifMatch, note }) =>
        result(await rf.flows.publishDraft(flow_id, { ...(note !== undefined && { note }) }, { ifMatch })),
      { readOnlyHint: false, destructiveHint: true },
    );
  }

  await server.connect(new StdioServerTransport());
}

/** As people read it: "Read offer draft". */
function titleOf(name: string): string {
  return name[0].toUpperCase() + name.slice(1).replaceAll('_', ' ');
}

/** What an assistant can put right, it is told; each fault with its pointer. */
function failed(error: unknown): CallToolResult {
  if (!(error instanceof ApiError)) return failure(String(error));
  const placeOf = (fault: FieldError) =>
    'header' in fault ? fault.header : (fault.pointer ?? ('parameter' in fault && fault.parameter));
  const faults = error.errors.map((fault) => `\n${placeOf(fault)} ${fault.message}`);
  return failure(`${error.status} ${error.code}: ${error.message}${faults.join('')}`);
}
