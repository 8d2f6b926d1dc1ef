import { type Filled, OFFER, type Workspace } from './management';
import { type HttpRequest, type Load, SESSION_ID, type Walk } from './generator';

export interface Case {
  /** For --cases. */
  name: string;
  title: string;
  connections: number;
  unit: Load['unit'];
  /** A bare Fastify server has the answer, too. */
  isAnsweredByBare?: true;
  walks(filled: Filled): Walk[];
}

export const CASES: Case[] = [
  {
    name: 'start-hot',
    title: 'start, 1 workspace, 64 connections',
    connections: 64,
    unit: 'request',
    isAnsweredByBare: true,
    walks: ({ hot }) => startsOn([hot]),
  },
  {
    name: 'start-alone',
    title: 'start, 1 workspace, 1 connection',
    connections: 1,
    unit: 'request',
    isAnsweredByBare: true,
    walks: ({ hot }) => startsOn([hot]),
  },
  {
    name: 'start-customer',
    title: 'start of one of 1,000 customers, 1 workspace, 64 connections',
    connections: 64,
    unit: 'request',
    walks: ({ hot }) => customers().map((customer) => [start(hot.flows[0].slug, customer)]),
  },
  {
    name: 'start-many',
    title: 'start, 1,000 workspaces, 64 connections',
    connections: 64,
    unit: 'request',
    walks: ({ workspaces }) => startsOn(workspaces),
  },
  {
    name: 'step',
    title: 'step, 1,000 flows, 64 connections',
    connections: 64,
    unit: 'step',
    walks: ({ severalFlows }) => sessionsOn(severalFlows),
  },
  {
    name: 'session',
    title: 'whole session, 1,000 flows, 64 connections',
    connections: 64,
    unit: 'walk',
    walks: ({ severalFlows }) => sessionsOn(severalFlows),
  },
  {
    name: 'list-flows',
    title: 'list 100 flows, 10 workspaces, 64 connections',
    connections: 64,
    unit: 'request',
    walks: ({ listed }) => listed.map(({ apiKey }) => [get('/api/v1/public/flows?limit=100', apiKey)]),
  },
  {
    name: 'read-flow',
    title: 'read a flow of 1,000, 64 connections',
    connections: 64,
    unit: 'request',
    walks: ({ severalFlows }) =>
      flowsOf(severalFlows).map(({ id, apiKey }) => [get(`/api/v1/public/flows/${id}`, apiKey)]),
  },
  {
    name: 'create-offer',
    title: 'create an offer, 1,000 workspaces, 64 connections',
    connections: 64,
    unit: 'request',
    walks: ({ workspaces }) => workspaces.map(({ apiKey }) => [post('/api/v1/public/offers', OFFER, 201, apiKey)]),
  },
];

const STEPS = [
  { node_key: 'start', action: 'continue' },
  { node_key: 'reason', action: 'answer', option: 'too_expensive' },
  { node_key: 'offer_1', action: 'decline' },
  { node_key: 'confirm', action: 'cancel' },
];

export function startsOn(workspaces: Workspace[]): Walk[] {
  return workspaces.map(({ flows }) => [start(flows[0].slug)]);
}

/** Sessions walked to their end: start, survey, offer, confirm, canceled. */
function sessionsOn(workspaces: Workspace[]): Walk[] {
  const steps = STEPS.map((step) => post(`/api/v1/runtime/session/${SESSION_ID}/step`, step, 200));
  return flowsOf(workspaces).map(({ slug }) => [start(slug), ...steps]);
}

/** Every flow with the key of its workspace, workspaces in turn, so that requests of one do not come together. */
function flowsOf(workspaces: Workspace[]): { id: string; slug: string; apiKey: string }[] {
  return workspaces[0].flows.flatMap((_, index) =>
    workspaces.map(({ apiKey, flows }) => ({ ...flows[index], apiKey })),
  );
}

function customers(): object[] {
  return Array.from({ length: 1000 }, (_, n) => ({
    id: `cus_${n}`,
    email: `customer${n}@example.com`,
    attributes: { plan: 'pro', seats: n % 40 },
  }));
}

function start(flow_slug: string, customer?: object): HttpRequest {
  return post('/api/v1/runtime/session/init', { flow_slug, customer }, 201);
}

function get(path: string, apiKey: string): HttpRequest {
  return { method: 'GET', path, headers: { authorization: `Bearer ${apiKey}` }, status: 200 };
}

function post(path: string, body: object, status: number, apiKey?: string): HttpRequest {
  const authorization = apiKey && { authorization: `Bearer ${apiKey}` };
  return { method: 'POST', path, headers: { 'content-type': 'application/json', ...authorization }, body, status };
}
