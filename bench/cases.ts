import type { HttpRequest } from './driver/load';

export const WORKSPACES = 1000;
export const FLOWS = 100;

/** What is measured: a kind of request, on a number of connections. */
export interface Case {
  name: string;
  ask: Ask;
  connections: number;
  /** The one answer that counts as right. */
  status: number;
}

export type Ask = 'startOnOne' | 'startOnMany' | 'listFlows' | 'getFlow' | 'createOffer';

export const CASES: Case[] = [
  { name: 'start, one workspace, 1 connection', ask: 'startOnOne', connections: 1, status: 201 },
  { name: 'start, one workspace, 64 connections', ask: 'startOnOne', connections: 64, status: 201 },
  { name: 'start, one workspace, 256 connections', ask: 'startOnOne', connections: 256, status: 201 },
  { name: `start, ${WORKSPACES} workspaces, 64 connections`, ask: 'startOnMany', connections: 64, status: 201 },
  { name: `list ${FLOWS} flows, 64 connections`, ask: 'listFlows', connections: 64, status: 200 },
  { name: 'read a flow, 64 connections', ask: 'getFlow', connections: 64, status: 200 },
  { name: 'create an offer, 64 connections', ask: 'createOffer', connections: 64, status: 201 },
];

export const startsSessions = ({ ask }: Case): boolean => ask === 'startOnOne' || ask === 'startOnMany';

/** What a server was filled with, as far as requests name it. */
export interface Fixture {
  /** The slug of a published flow in a workspace of its own. */
  hotSlug: string;
  /** The slugs of published flows, each in another workspace. */
  slugs: string[];
  /** Of a workspace with `FLOWS` flows. */
  apiKey: string;
  /** One of these flows. */
  flowId: string;
}

/** With `customers`, each start names one of so many. */
export function requestsOf({ hotSlug, slugs, apiKey, flowId }: Fixture, customers = 0): Record<Ask, HttpRequest[]> {
  const start = (flow_slug: string, number: number) => {
    const customer = customers > 0 ? { id: `cus_${number % customers}` } : undefined;
    return post('/api/v1/runtime/session/init', { flow_slug, customer });
  };
  const withKey = { authorization: `Bearer ${apiKey}` };
  return {
    startOnOne: Array.from({ length: Math.max(customers, 1) }, (_, number) => start(hotSlug, number)),
    startOnMany: slugs.map(start),
    listFlows: [{ method: 'GET', path: `/api/v1/public/flows?limit=${FLOWS}`, headers: withKey }],
    getFlow: [{ method: 'GET', path: `/api/v1/public/flows/${flowId}`, headers: withKey }],
    createOffer: [post('/api/v1/public/offers', OFFER, withKey)],
  };
}

const OFFER = {
  name: '30 % off for three months',
  offer_type: 'discount_percentage',
  offer_value: '30%',
  offer_duration: '3 months',
  heading: 'Stay for 30 % less',
  body: 'Keep everything you have, for 30 % less over the next three months.',
  cta_accept: 'Take 30 % off',
  cta_decline: 'No thanks',
};

function post(path: string, body: object, headers: Record<string, string> = {}): HttpRequest {
  return {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}
