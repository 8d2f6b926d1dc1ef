import {
  ApiError,
  RetentionFlow,
  verifyWebhook,
  type Branding,
  type Closing,
  type ConfirmNode,
  type CustomNode,
  type Flow,
  type OfferNode,
  type SessionListItem,
  type StartNode,
  type Step,
  type SurveyNode,
} from '@retention-flow/client';
import { createFlow, type Flow as Headless, type View } from '@retention-flow/client/headless';

/** A dialog of one's own shows each type of view and node, and those that are newer. */
export function titleOf(flow: Headless): string | undefined {
  const view: View = flow.getView();
  if (view.type === 'contacted') return view.acceptedOffer.heading;
  // @ts-expect-error: nothing is accepted yet
  if (view.type === 'starting') return view.acceptedOffer;
  if (view.type !== 'node') return undefined;
  const { node } = view;
  if (node.type === 'unknown') return node.config.title;
  if (node.type === 'custom') flow.take({ action: 'answer', result: { score: 9 } });
  // @ts-expect-error: no such action
  flow.take({ action: 'skip' });
  return node.type === 'offer' ? node.config.heading : node.config.title;
}

export const headless = createFlow({
  api: 'https://retention.acme.example',
  flow: 'leaving',
  customerToken: () => Promise.resolve('a.b.c'),
  limits: { start: 1000 },
});

export type Shown = Branding | Closing | Step;

function render(node: StartNode | SurveyNode | OfferNode | ConfirmNode | CustomNode | null): string | undefined {
  if (node?.type === 'offer') return node.config.heading;
  return node?.type === 'survey' ? node.config.options[0].label : node?.config.title;
}

/**
 * Programs that the types of the client take, and with `@ts-expect-error` programs that they refuse. They are compiled
 * by `npm run check:types`, and against the packed client, and never run.
 */
export async function programs(rf: RetentionFlow): Promise<void> {
  const flow = { name: 'Leaving', product_name: 'Pro', cancellation_url: 'https://acme.example/cancel' };

  const { id } = await rf.offers.create({ name: 'Half price', offer_type: 'custom' }, { idempotencyKey: 'mine' });
  // @ts-expect-error: no such type of offer
  await rf.offers.create({ name: 'Half price', offer_type: 'discount' });
  // @ts-expect-error: without its name
  await rf.offers.create({ offer_type: 'custom' });
  // @ts-expect-error: a misspelt field
  await rf.offers.create({ name: 'Half price', offer_type: 'custom', heading_text: 'Stay' });
  // @ts-expect-error: a field of another type
  await rf.offers.update(id, { name: 1 });

  // @ts-expect-error: without a body
  await rf.flows.create();
  const confirm = { key: 'sure', type: 'confirm', config: { title: 'Sure?' } } as const;
  await rf.flows.create({ ...flow, definition: { entry: 'sure', nodes: [confirm] } });
  await rf.flows.create({
    ...flow,
    definition: {
      entry: 'sure',
      // @ts-expect-error: a page of no options
      nodes: [{ key: 'sure', type: 'confirm', config: { title: 'Sure?', options: [{ value: 'a', label: 'A' }] } }],
    },
  });
  await rf.flows.create({
    ...flow,
    // @ts-expect-error: a survey without options
    definition: { entry: 'why', nodes: [{ key: 'why', type: 'survey', config: { title: 'Why?' }, next: 'sure' }] },
  });
  // @ts-expect-error: no such status
  await rf.flows.update(id, { status: 'live' });
  const read: Flow = await rf.flows.get(id);
  // @ts-expect-error: no such field
  void read.title;
  // @ts-expect-error: a version is a number
  await rf.flows.version(id, '1');

  for await (const session of rf.sessions.list({ status: 'saved', limit: 10 })) {
    const item: SessionListItem = session;
    // @ts-expect-error: a session, not a page
    void item.next_cursor;
  }
  await rf.sessions.list({ status: ['saved', 'canceled'], offer_id: id });
  // @ts-expect-error: no such status
  await rf.sessions.list({ status: 'kept' });
  for await (const { version } of rf.flows.versions(id)) version.toFixed();
  // @ts-expect-error: no such parameter
  await rf.sessions.list({ customer: 'cus_1' });
  // @ts-expect-error: a page, not the items
  void (await rf.sessions.list()).length;

  for await (const { comment, option } of rf.comments.list({ option: 'price' })) comment.concat(option);
  // @ts-expect-error: no such parameter
  await rf.comments.list({ status: 'saved' });
  const file = await rf.sessions.csv({ status: 'saved' });
  void file.body;
  // @ts-expect-error: a file has no pages
  await rf.comments.csv({ limit: 10 });
  void (await rf.flows.statsDaily(id, { from: '2026-11-01' })).days[0].saved.toFixed();
  void (await rf.flows.statsNodes(id, { version: 1 })).nodes[0].exits[0].action.toUpperCase();
  void (await rf.workspace.statsDaily()).days;

  const { session_id } = await rf.runtime.start({ flow_slug: 'a' });
  await rf.runtime.step(session_id, { node_key: 'why', action: 'answer', option: 'other' });
  await rf.runtime.step(session_id, { node_key: 'nps', action: 'answer', result: { score: 9 } });
  await rf.runtime.step(session_id, { action: 'cancel' });
  // @ts-expect-error: an answer without its option
  await rf.runtime.step(session_id, { node_key: 'why', action: 'answer' });
  // @ts-expect-error: an answer with an option and a result
  await rf.runtime.step(session_id, { node_key: 'why', action: 'answer', option: 'other', result: 9 });
  // @ts-expect-error: no such action
  await rf.runtime.step(session_id, { node_key: 'why', action: 'skip' });

  try {
    await rf.runtime.step(session_id, { action: 'keep' });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const refused: ApiError = error;
    // @ts-expect-error: not every error has a session
    void refused.session.node;
    if (refused.code === 'step_conflict') render(refused.session.node);
    // @ts-expect-error: no such code
    if (refused.code === 'conflicts') return;
    const url: string | undefined = refused.cancellationUrl;
    void url;
  }

  // @ts-expect-error: no such option
  await rf.flows.get(id, { idempotencyKey: 'mine' });
  // @ts-expect-error: without an address
  void new RetentionFlow({ apiKey: 'rf_live_1' });

  await verifyWebhook(new ArrayBuffer(0), { get: () => null }, ['whsec_1', 'whsec_2'], { allowTest: true });
  await verifyWebhook(new Uint8Array(), [['webhook-id', '1']], 'whsec_');
  const event = await verifyWebhook('', {}, 'whsec_');
  // @ts-expect-error: not before the type is known
  void event.data.session;
  if (event.type === 'session.saved') event.data.session.customer?.id.toUpperCase();
  // @ts-expect-error: no such event
  if (event.type === 'session.kept') throw new Error();
}
