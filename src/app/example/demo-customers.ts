import { DAY_MS } from '../../platform/common/days';
import type { ShownNode } from '../../flows/graph/flow-definition';
import type { Step } from '../../runtime/step/next-step';
import { REASONS } from './demo-flow';

const DAYS = 60;
const HOUR_MS = 3_600_000;

/** Matches the ids of made-up customers, in Postgres. */
export const DEMO_CUSTOMERS = '^example-[0-9]{4}$';

/** A made-up customer who comes to leave. */
export interface DemoCustomer {
  id: string;
  locale: 'en' | 'de';
  attributes: { plan: string; country: string };
  /** In cents of a dollar. */
  monthly_amount: number;
  came_at: Date;
  /** Tells this visit from all others. */
  visit: number;
}

/**
 * Customers of the last 60 days, oldest first: a few more each week, fewer on weekends, in the hours of the day. The
 * same each time. One of 12 has been here before.
 */
export function demoCustomers(now: Date): DemoCustomer[] {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const times = Array.from({ length: DAYS }, (_, index) => {
    const day = today - (DAYS - 1 - index) * DAY_MS;
    const isWeekend = [0, 6].includes(new Date(day).getUTCDay());
    const visits = Math.round((isWeekend ? 8 : 16) + index / 12 + 5 * chance(index, 'day'));
    return Array.from({ length: visits }, (_, n) => {
      const hour = 7 + (13 * (n + chance(n, `minutes of day ${index}`))) / visits;
      return Math.floor(day + hour * HOUR_MS);
    });
  }).flat();
  return times.filter((time) => time < now.getTime() - HOUR_MS).map((time, visit) => customerOf(visit, new Date(time)));
}

function customerOf(visit: number, came_at: Date): DemoCustomer {
  const number = visit > 200 && chance(visit, 'came before') < 1 / 12 ? visit - 200 : visit;
  const isTeam = chance(number, 'plan') < 0.3;
  const isGerman = chance(number, 'language') < 0.28;
  return {
    id: `example-${1001 + number}`,
    locale: isGerman ? 'de' : 'en',
    attributes: {
      plan: isTeam ? 'team' : 'pro',
      country: isGerman ? 'DE' : chance(number, 'country') < 0.4 ? 'GB' : 'US',
    },
    monthly_amount: isTeam ? 12_900 : 4900,
    came_at,
    visit,
  };
}

/** What a customer does at a node; undefined if they close the page. */
export function actionOf({ visit, locale }: DemoCustomer, { key, type }: ShownNode): Step | undefined {
  const reason = reasonOf(chance(visit, 'reason'));
  const happens = (what: string, share: number) => chance(visit, `${what} at ${key}`) < share;
  if (happens('closes the page', 0.05)) return undefined;
  if (type === 'start') return { node_key: key, action: 'continue' };
  if (type === 'survey') {
    const comments = reason.comments[locale];
    const comment = happens('writes', 0.25) ? comments[visit % comments.length] : undefined;
    return { node_key: key, action: 'answer', option: reason.value, comment };
  }
  // Half the price for three months convinces more than a fifth less for a year.
  const liking: Record<string, number> = { half: 1.4, year: 0.5 };
  if (type === 'offer') {
    return { node_key: key, action: happens('accepts', reason.stay * (liking[key] ?? 1)) ? 'accept' : 'decline' };
  }
  return { node_key: key, action: happens('keeps', reason.stay / 3) ? 'keep' : 'confirm' };
}

function reasonOf(chance: number): (typeof REASONS)[number] {
  let sum = 0;
  return REASONS.find(({ share }) => (sum += share) > chance) ?? REASONS[0];
}

/** From 0 to 1, the same each time: FNV-1a of the question, mixed once more. */
function chance(n: number, what: string): number {
  let hash = 2166136261;
  for (const letter of `${n} ${what}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 2246822519);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}
