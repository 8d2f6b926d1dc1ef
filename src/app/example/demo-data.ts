import type { INestApplication } from '@nestjs/common';
import { firstIdOf, newIdAt } from '../../platform/api/ids';
import { newSessionId } from '../../sessions/session-ids';
import { languagesOfOffers } from '../../platform/text/languages';
import { wordsOf } from '../../platform/text/search-words';
import { ConfigError } from '../../settings/config';
import { statement } from '../../platform/database/transaction/statement';
import { readTime } from '../../platform/database/time';
import { Flow } from '../../flows/flow.entity';
import { FlowLookup } from '../../flows/lookup/flow-lookup.service';
import { FlowVersion } from '../../flows/versions/flow-version.entity';
import { FlowsService } from '../../flows/flows.service';
import { shownNodeOf } from '../../flows/graph/flow-definition';
import { Offer } from '../../offers/offer.entity';
import { OffersService } from '../../offers/offers.service';
import { FlowSession } from '../../sessions/flow-session.entity';
import { SessionStep } from '../../sessions/session-step.entity';
import { SessionRetention } from '../../sessions/session-retention';
import { decide } from '../../runtime/step/decide';
import { type Context, positionAt } from '../../runtime/step/next-step';
import { DailySums } from '../../statistics/sums/daily-sums.service';
import { theServiceIn } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import type { Reader, Work } from '../../tenancy/work/work';
import { COUNTED } from '../../workspaces/counters/usage';
import { WorkspaceCounter } from '../../workspaces/counters/workspace-counter.service';
import { WorkspacesService } from '../../workspaces/workspaces.service';
import { PRODUCT } from './acme-pro';
import { actionOf, DEMO_CUSTOMERS, type DemoCustomer, demoCustomers } from './demo-customers';
import { DEMO_FLOW, DEMO_OFFERS, DEMO_SLUG, demoGraph } from './demo-flow';

const STEP_TAKES_MS = 20_000;
/** The most sessions of a workspace that is filled: made-up ones would hide among more. */
const MAX_SESSIONS = 100;

/** The number of sessions that began, also where only their sums are left. */
const SESSIONS = statement(
  `SELECT greatest(
    (SELECT count(*) FROM flow_sessions WHERE workspace_id = :workspace),
    (SELECT sum(sessions) FROM daily_sums WHERE workspace_id = :workspace AND kind = 'session')
  )::integer AS sessions`,
);

/**
 * The flows of the example data: those in use, and archived ones that still have made-up sessions. A slug that only
 * begins like theirs, and does not end as `createSlug` ends it, is of another flow.
 */
const DEMO_FLOWS = statement(
  `SELECT id FROM flows WHERE workspace_id = :workspace AND slug ~ '^${DEMO_SLUG}[a-z0-9]{8}$'
    AND (status <> 'archived' OR EXISTS (SELECT FROM flow_sessions
      WHERE workspace_id = :workspace AND flow_id = flows.id AND customer_id ~ :customers))`,
);

/** What `addDemoData` made. */
export interface DemoData {
  /** The name of the workspace. */
  workspace: string;
  sessions: number;
  /** The key of the workspace, if it is new. */
  apiKey?: string;
}

/**
 * Fills the oldest workspace, which is the example of a first start, with a flow of its own and the sessions of 60
 * days. They count like others but tell nobody: they are no events. Makes the workspace where there is none. undefined
 * if the flow is there already. Throws a ConfigError where more than 100 sessions have begun.
 */
export async function addDemoData(app: INestApplication): Promise<DemoData | undefined> {
  const units = app.get(UnitsOfWork);
  const workspaces = app.get(WorkspacesService);
  const oldest = await workspaces.oldest();
  const created = oldest ? undefined : await workspaces.create(theServiceIn(), { name: 'Example' });
  const { id: workspaceId, name: workspace } = oldest ?? created!;
  const example = theServiceIn(workspaceId);
  const reader = units.reader(example);
  if ((await demoFlows(reader)).length > 0) return undefined;
  if ((await reader.row<{ sessions: number }>(SESSIONS))!.sessions > MAX_SESSIONS) {
    throw new ConfigError(
      `The oldest workspace, "${workspace}", has more than ${MAX_SESSIONS} sessions: made-up ones would hide among them`,
    );
  }

  const offers = app.get(OffersService);
  const [half, year, pause] = [
    await offers.create(example, DEMO_OFFERS.half),
    await offers.create(example, DEMO_OFFERS.year),
    await offers.create(example, DEMO_OFFERS.pause),
  ];
  const flows = app.get(FlowsService);
  const definition = demoGraph({ half: half.id, year: year.id, pause: pause.id });
  const { id } = await flows.create(example, { ...PRODUCT, name: DEMO_FLOW, flow_mode: 'advanced', definition });
  await flows.update(example, id, { status: 'published' });
  const sessions = await units.run(example, (work) => addSessions(app, work, id));
  return { workspace, sessions, apiKey: created?.api_key.key };
}

/**
 * Takes it away again: the made-up sessions are deleted, and the flow is archived with its offers, unless another flow
 * shows them. Returns whether there was any.
 */
export async function removeDemoData(app: INestApplication): Promise<boolean> {
  const units = app.get(UnitsOfWork);
  const oldest = await app.get(WorkspacesService).oldest();
  if (!oldest) return false;
  const example = theServiceIn(oldest.id);
  const found = await demoFlows(units.reader(example));
  for (const { id } of found) {
    const flows = app.get(FlowsService);
    await flows.archive(example, id);
    for (const offerId of (await flows.get(example, id)).offer_ids) {
      const { items } = await flows.withOffer(example, offerId, { limit: 1 });
      if (items.length === 0) await app.get(OffersService).archive(example, offerId);
    }
    await units.run(example, async (work) => {
      await app.get(SessionRetention).deleteOf(work, id, DEMO_CUSTOMERS);
      await app.get(DailySums).forget(work, { flow_id: id });
      await count(app, work);
    });
  }
  return found.length > 0;
}

function demoFlows(reader: Reader): Promise<Pick<Flow, 'id'>[]> {
  return reader.rows(DEMO_FLOWS, { customers: DEMO_CUSTOMERS });
}

async function addSessions(app: INestApplication, work: Work, flow_id: string): Promise<number> {
  const code = await app.get(WorkspaceCounter).lock(work);
  const { workspaceId: workspace_id, manager } = work;
  const version = await app.get(FlowLookup).version({ workspace_id, flow_id, flow_version: 1 }, manager);
  const offers = new Map((await work.find(Offer, {})).map((offer) => [offer.id, offer]));
  const customers = demoCustomers(await readTime(manager));
  const walks = customers.map((customer) => walkOf(customer, version, offers, code));
  await app.get(DailySums).forget(work);
  work.insert(FlowSession, ...walks.map(({ session }) => session));
  work.insert(SessionStep, ...walks.flatMap(({ steps }) => steps));
  // An experiment counts the customers since its version was published.
  const [{ came_at }] = customers;
  await work.update(FlowVersion, { flow_id }, { created_at: came_at });
  await work.update(Flow, flow_id, { created_at: came_at, first_published_at: came_at });
  await count(app, work);
  return walks.length;
}

/** The rows of a customer's session. */
function walkOf(customer: DemoCustomer, version: FlowVersion, offers: Context['offers'], code: string) {
  const { id: customer_id, locale, attributes, monthly_amount, came_at: created_at } = customer;
  const id = newIdAt(created_at);
  const session_id = newSessionId(code);
  const timeOf = (step: number) => new Date(created_at.getTime() + step * STEP_TAKES_MS);
  const context = {
    offers,
    languages: languagesOfOffers(locale, version.locale),
    visitor: customer_id,
    attributes,
    facts: {},
    now: created_at,
    audiences: {},
    draws: {},
    locale,
    usedUpLimit: () => undefined,
  };
  const taken: ReturnType<typeof decide>['steps'] = [];
  let position = positionAt(version.definition.entry);
  while (position.status === 'in_progress') {
    const step = actionOf(customer, shownNodeOf(version.definition, position.node_key));
    if (!step) break;
    const session = { ...position, session_id, locale, is_erased: false, is_expired: false };
    const decided = decide({ session, version, steps: [step] }, taken, context);
    taken.push(...decided.steps);
    position = decided.position;
  }
  const { status, node_key: current_node_key, presented_offer, accepted_offer } = position;
  const updated_at = timeOf(taken.length);
  const session = {
    id,
    session_id,
    flow_id: version.flow_id,
    flow_version: version.version,
    locale,
    status,
    current_node_key,
    presented_offer,
    accepted_offer,
    saved_by_offer: accepted_offer !== null,
    customer_id,
    customer: { attributes },
    customer_verified: false,
    monthly_amount,
    currency: 'USD',
    created_at,
    updated_at,
    ended_at: status === 'in_progress' ? null : updated_at,
  };
  const steps = taken.map(({ comment, ...step }, index) => ({
    ...step,
    withheld: null,
    flow_session_id: id,
    position: index + 1,
    comment,
    words: comment === undefined ? null : wordsOf(version.workspace_id, comment),
    created_at: timeOf(index + 1),
  }));
  return { session, steps };
}

const COUNT = statement(
  `UPDATE workspaces SET usage_period = ${COUNTED.period}, sessions_used = (
    SELECT count(*) FROM flow_sessions WHERE workspace_id = :workspace AND id >= ${firstIdOf(COUNTED.period)}
  ) WHERE id = :workspace`,
);

/** Counts the sessions of this month anew. */
async function count(app: INestApplication, work: Work): Promise<void> {
  await app.get(WorkspacesService).lock(work);
  await work.write(COUNT);
}
