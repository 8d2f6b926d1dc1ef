import { DataSource } from 'typeorm';
import type { FlowDefinition } from '../../../src/flows/flow-definition';
import { forgetSums, renameSessions } from '../../support/service';
import { Acme, type Flow } from './acme';
import type { Stage } from './stage';

/** What customers wrote, by why they leave. */
const REASONS: { value: string; label: string; share: number; saved: number; comments: string[] }[] = [
  {
    value: 'too_expensive',
    label: 'Too expensive',
    share: 0.38,
    saved: 0.46,
    comments: [
      'Twice what I paid last year.',
      'We had to cut the budget for tools.',
      'Fine for a team, too much for one.',
    ],
  },
  {
    value: 'not_using',
    label: 'I do not use it enough',
    share: 0.24,
    saved: 0.55,
    comments: ['I only need it in summer.', 'My project is on hold until March.'],
  },
  {
    value: 'missing_features',
    label: 'It lacks something I need',
    share: 0.18,
    saved: 0.16,
    comments: ['No export to Excel.', 'I need more than one currency.'],
  },
  {
    value: 'switching',
    label: 'I am switching to something else',
    share: 0.12,
    saved: 0.08,
    comments: ['My new employer uses another tool.'],
  },
  {
    value: 'other',
    label: 'Something else',
    share: 0.08,
    saved: 0.12,
    comments: ['I am retiring. Thank you for the years.'],
  },
];

const OFFERS = {
  half: {
    name: '50% off for three months',
    offer_type: 'discount_percentage',
    offer_value: '50%',
    offer_duration: '3 months',
    heading: 'Stay for half the price',
    body: 'Keep everything you have, for half the price over the next three months.',
    cta_accept: 'Take 50% off',
  },
  year: {
    name: '20% off for a year',
    offer_type: 'discount_percentage',
    offer_value: '20%',
    offer_duration: '12 months',
    heading: 'Stay for 20% less',
    body: 'Keep everything you have, for 20% less over the next year.',
    cta_accept: 'Take 20% off',
  },
  pause: {
    name: 'Pause for two months',
    offer_type: 'pause_subscription',
    offer_duration: '2 months',
    heading: 'Take a break instead',
    body: 'We stop billing for two months and keep everything as it is.',
    cta_accept: 'Pause my subscription',
  },
};

const graph = ({ half, year, pause }: Record<keyof typeof OFFERS, string>): FlowDefinition => ({
  entry: 'start',
  nodes: [
    {
      key: 'start',
      type: 'start',
      config: { title: 'Before you go', body: 'Tell us why you are leaving Acme Pro. It takes a minute.' },
      next: 'reason',
    },
    {
      key: 'reason',
      type: 'survey',
      config: {
        title: 'Why are you leaving?',
        comment: 'optional',
        options: REASONS.map(({ value, label }) => ({
          value,
          label,
          ...(value === 'too_expensive' && { next: 'discount' }),
          ...(value === 'not_using' && { next: 'pause' }),
        })),
      },
      next: 'confirm',
    },
    {
      key: 'discount',
      type: 'split',
      config: {
        ways: [
          { name: 'half', weight: 1, next: 'half' },
          { name: 'year', weight: 1, next: 'year' },
        ],
      },
    },
    { key: 'half', type: 'offer', config: { offer_id: half }, next: 'confirm' },
    { key: 'year', type: 'offer', config: { offer_id: year }, next: 'confirm' },
    { key: 'pause', type: 'offer', config: { offer_id: pause }, next: 'confirm' },
    {
      key: 'confirm',
      type: 'confirm',
      config: { title: 'Cancel your subscription?', body: 'You can use Acme Pro until the end of the month.' },
    },
  ],
});

const DAYS = 60;
const DAY_MS = 86_400_000;
const AT_A_TIME = 20;

/** A workspace whose customers have come for two months, a few more each week, and fewer on weekends. */
export async function twoMonths(stage: Stage): Promise<{ acme: Acme; flow: Flow }> {
  const acme = await Acme.create(stage.service, 'https://acme.example/cancel', { session_limit: 2000 });
  const create = async (offer: object) => (await acme.call<{ id: string }>('POST', '/api/v1/public/offers', offer)).id;
  const flow = await acme.call<Flow>('POST', '/api/v1/public/flows', {
    name: 'Leaving Acme Pro',
    product_name: 'Acme Pro',
    cancellation_url: 'https://acme.example/cancel',
    estimated_monthly_value: 49,
    flow_mode: 'advanced',
    definition: graph({
      half: await create(OFFERS.half),
      year: await create(OFFERS.year),
      pause: await create(OFFERS.pause),
    }),
  });
  await acme.call('PUT', `/api/v1/public/flows/${flow.id}`, { status: 'published' });

  const times = timesOf(Date.now());
  const ids: string[] = [];
  while (ids.length < times.length) {
    const batch = times
      .slice(ids.length, ids.length + AT_A_TIME)
      .map((_, n) => walk(stage.service, flow, ids.length + n));
    ids.push(...(await Promise.all(batch)));
  }
  await dateBack(stage.databaseUrl, ids, times);
  return { acme, flow };
}

/** When sessions begin: up to the day before. */
function timesOf(now: number): string[] {
  const midnight = now - (now % DAY_MS);
  return Array.from({ length: DAYS }, (_, index) => {
    const day = midnight - (DAYS - index) * DAY_MS;
    const isWeekend = [0, 6].includes(new Date(day).getUTCDay());
    const sessions = Math.round((isWeekend ? 5 : 11) + index / 12 + 5 * chance(index, 'day'));
    return Array.from({ length: sessions }, (_, n) =>
      new Date(day + (7 + (13 * n) / sessions) * 3_600_000).toISOString(),
    );
  }).flat();
}

/** One customer's way, as likely as it is in life. Returns the session_id. */
async function walk(service: string, { slug }: Flow, n: number): Promise<string> {
  const post = async <T>(path: string, body: object): Promise<T> => {
    const response = await fetch(`${service}/api/v1/runtime/session/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const customer = { id: `cus_${4711 + n}`, attributes: { plan: n % 3 ? 'pro' : 'team' } };
  const { session_id: id } = await post<{ session_id: string }>('init', { flow_slug: slug, customer });
  const step = (node_key: string, action: string, more: object = {}) =>
    post<{ node: { key: string; type: string } | null }>(`${id}/step`, { node_key, action, ...more });

  if (chance(n, 'leaves at the start') < 0.06) return id;
  await step('start', 'continue');
  if (chance(n, 'leaves at the survey') < 0.07) return id;
  const { value, saved, comments } = reasonOf(chance(n, 'reason'));
  const comment = chance(n, 'comment') < 0.2 ? { comment: comments[n % comments.length] } : {};
  let { node } = await step('reason', 'answer', { option: value, ...comment });
  if (node?.type === 'offer') {
    const likely = saved * (node.key === 'year' ? 0.7 : 1.15);
    if (chance(n, 'offer') < likely) {
      await step(node.key, 'accept');
      return id;
    }
    if (chance(n, 'leaves at the offer') < 0.08) return id;
    ({ node } = await step(node.key, 'decline'));
  } else if (chance(n, 'keeps') < saved) {
    await step('confirm', 'keep');
    return id;
  }
  if (chance(n, 'leaves at the end') > 0.05) await step('confirm', 'confirm');
  return id;
}

function reasonOf(chance: number): (typeof REASONS)[number] {
  let sum = 0;
  return REASONS.find(({ share }) => (sum += share) > chance) ?? REASONS[0];
}

/** From 0 to 1, the same each time: pictures change only with what they show. */
function chance(n: number, what: string): number {
  let hash = 2166136261 ^ n;
  for (const letter of `${what}${n}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 2246822519);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

/** Lets sessions have begun at other times, as the service does not by itself. */
async function dateBack(url: string, sessionIds: string[], times: string[]): Promise<void> {
  const database = await new DataSource({ type: 'postgres', url }).initialize();
  await database.transaction(async (manager) => {
    const [{ workspace_id }] = await manager.query<{ workspace_id: string }[]>(
      `WITH began AS (SELECT * FROM unnest($1::uuid[], $2::timestamptz[]) AS one (session_id, time)),
      session AS (
        UPDATE flow_sessions session SET created_at = time, updated_at = time + interval '2 minutes',
          ended_at = CASE WHEN ended_at IS NOT NULL THEN time + interval '2 minutes' END
        FROM began WHERE session.session_id = began.session_id RETURNING session.workspace_id, session.id, time
      ), step AS (
        UPDATE session_steps step SET created_at = time + position * interval '20 seconds' FROM session
        WHERE step.workspace_id = session.workspace_id AND step.flow_session_id = session.id
      ), used AS (
        UPDATE workspaces SET sessions_used = (SELECT count(*) FROM began WHERE time >= usage_period)
        WHERE id IN (SELECT workspace_id FROM session)
      )
      SELECT DISTINCT workspace_id FROM session`,
      [sessionIds, times],
    );
    await renameSessions('workspace_id', workspace_id, manager);
    await forgetSums('workspace_id', workspace_id, manager);
  });
  await database.destroy();
}
