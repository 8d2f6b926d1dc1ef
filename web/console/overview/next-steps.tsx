import type { RetentionFlow, Webhook, WorkspaceStats } from '@retention-flow/client';
import { readConnection } from '../billing/connection';
import { goesOn, runningOf, winnerOf } from '../flows/experiment';
import { href } from '../shell/route';
import { useSession } from '../shell/session';
import { counted } from '../ui/format';
import { useLoading } from '../ui/loading';

type Flows = WorkspaceStats['flows'];

/** What needs somebody. */
interface NextStepsNeeded {
  /** How many sessions wait for a person to do what billing could not, up to `MOST_COUNTED`. */
  waiting: number;
  /** How many decisions of the dry run were not carried out since the connection is live, up to `MOST_COUNTED`. */
  dry: number;
  /** How many declarations are not done, up to `MOST_COUNTED`. */
  declared: number;
  /** Webhooks that the service disabled, or whose deliveries fail. */
  broken: Webhook[];
  decided: Decided[];
  unheard: Unheard | undefined;
}

/** A test in which one arm saves more than every other. */
interface Decided {
  flow: Flows[number];
  node_key: string;
  winner: string;
}

/** Accepted offers that nobody is told of. */
interface Unheard {
  flows: { id: string; name: string; accepted: number }[];
  /** What would tell somebody, and is there already. */
  hasDryRun: boolean;
  disabledWebhook: Webhook | undefined;
}

const MOST_COUNTED = 100;

async function readNextSteps(client: RetentionFlow, flows: Flows, signal: AbortSignal): Promise<NextStepsNeeded> {
  const [{ sessions }, dry, { declarations }, { webhooks }, decided] = await Promise.all([
    client.sessions.list({ fulfilment: 'attention', limit: MOST_COUNTED }, { signal }),
    countDry(client, signal),
    client.declarations.list({ state: 'open', limit: MOST_COUNTED }, { signal }),
    client.webhooks.list({ limit: 100 }, { signal }),
    readDecided(client, flows, signal),
  ]);
  const broken = webhooks.filter(
    ({ status, disabled_reason, failing_since }) =>
      disabled_reason !== null || (status === 'enabled' && failing_since !== null),
  );
  const unheard = await readUnheard(client, flows, webhooks, signal);
  return { waiting: sessions.length, dry, declared: declarations.length, broken, decided, unheard };
}

async function countDry(client: RetentionFlow, signal: AbortSignal): Promise<number> {
  const { fulfilments } = await client.fulfilments.list({ state: 'dry_run', limit: MOST_COUNTED }, { signal });
  if (fulfilments.length === 0) return 0;
  const isLive = (await readConnection(client, signal))?.mode === 'live';
  return isLive ? fulfilments.length : 0;
}

/** Tests that customers still come to, one after the other: each is counted from its beginning. */
async function readDecided(client: RetentionFlow, flows: Flows, signal: AbortSignal): Promise<Decided[]> {
  const decided: Decided[] = [];
  for (const tested of flows.filter(({ splits }) => splits.some(({ arms }) => runningOf(arms ?? []).length > 1))) {
    const flow = await client.flows.get(tested.flow_id, { signal });
    const { splits } = await client.flows.stats(flow.id, { from: flow.created_at }, { signal });
    for (const split of splits.filter((one) => goesOn(one, splits, flow))) {
      const winner = winnerOf(split);
      if (winner !== undefined) decided.push({ flow: tested, node_key: split.node_key, winner });
    }
  }
  return decided;
}

/**
 * The flows whose accepted offers reach nobody: billing doesn't apply them, no webhook takes them, and no mail is sent
 * about them.
 */
async function readUnheard(
  client: RetentionFlow,
  flows: Flows,
  webhooks: Webhook[],
  signal: AbortSignal,
): Promise<Unheard | undefined> {
  const accepting = flows
    .map(({ flow_id: id, name, offers }) => ({
      id,
      name,
      accepted: offers.reduce((sum, one) => sum + one.accepted, 0),
      contacted: offers.reduce((sum, one) => sum + one.contacted, 0),
    }))
    .filter(({ accepted, contacted }) => accepted + contacted > 0);
  if (accepting.length === 0) return undefined;
  const mode = (await readConnection(client, signal))?.mode;
  const types = [
    ...(accepting.some(({ accepted }) => accepted > 0) ? (['session.saved'] as const) : []),
    ...(accepting.some(({ contacted }) => contacted > 0) ? (['session.contacted'] as const) : []),
  ];
  const taking = webhooks.filter(
    ({ event_types }) => event_types.length === 0 || types.every((type) => event_types.includes(type)),
  );
  if (mode === 'live' || taking.some(({ status }) => status === 'enabled')) return undefined;
  const known = await Promise.all(accepting.map(({ id }) => client.flows.get(id, { signal })));
  const silent = accepting.filter((_, index) => known[index].notification_email === null);
  return silent.length === 0 ? undefined : { flows: silent, hasDryRun: mode === 'dry_run', disabledWebhook: taking[0] };
}

/** What to do next, if somebody waits for it. The page does not wait: tests are counted from their beginnings. */
export function NextSteps({ flows }: { flows: Flows }) {
  const { client } = useSession();
  const { value } = useLoading((signal) => readNextSteps(client, flows, signal), [flows]);
  if (!value) return null;
  const { waiting, dry, declared, broken, decided, unheard } = value;
  return (
    <>
      {waiting > 0 && (
        <p class="notice warning">
          <a href={href('/billing')}>{upTo(waiting, 'customer')}</a> {waiting === 1 ? 'waits' : 'wait'} for you: billing
          could not do what they decided.
        </p>
      )}
      {dry > 0 && (
        <p class="notice warning">
          <a href={href('/billing', { state: 'dry_run' })}>{upTo(dry, 'decision')}</a> of the dry run{' '}
          {dry === 1 ? 'was' : 'were'} not carried out when the connection went live.
        </p>
      )}
      {declared > 0 && (
        <p class="notice warning">
          <a href={href('/declarations', { state: 'open' })}>{upTo(declared, 'declaration')}</a>{' '}
          {declared === 1 ? 'waits' : 'wait'} for you: customers have declared that they leave, and nobody has marked it
          as done.
        </p>
      )}
      {broken.map(({ id, url, disabled_reason }) => (
        <p key={id} class="notice warning">
          {disabled_reason === null ? 'The webhook ' : 'The service disabled the webhook '}
          <a href={href(`/webhooks/${id}`)}>{url}</a>
          {disabled_reason === null ? ' fails: what customers decide does not arrive.' : `: ${disabled_reason}`}
        </p>
      ))}
      {unheard && <NobodyTold unheard={unheard} />}
      {decided.map(({ flow, node_key, winner }) => (
        <p key={`${flow.flow_id} ${node_key}`} class="notice good">
          A test is decided: in <a href={href(`/flows/${flow.flow_id}`)}>{flow.name}</a>, “{winner}” saves the most
          customers.
        </p>
      ))}
    </>
  );
}

function upTo(number: number, one: string): string {
  return number < MOST_COUNTED ? counted(number, one) : `${MOST_COUNTED} ${one}s or more`;
}

function NobodyTold({ unheard: { flows, hasDryRun, disabledWebhook } }: { unheard: Unheard }) {
  const accepted = flows.reduce((sum, flow) => sum + flow.accepted, 0);
  return (
    <section class="notice warning" aria-labelledby="next">
      <h2 id="next">Customers accepted {counted(accepted, 'offer')} in these days, and nobody is told</h2>
      <p>
        To give them what they accepted,{' '}
        <a href={href('/settings', { section: 'billing' })}>
          {hasDryRun ? 'let Stripe carry it out (it is in dry run)' : 'connect Stripe'}
        </a>
        ,{' '}
        {disabledWebhook ? (
          <a href={href(`/webhooks/${disabledWebhook.id}`)}>enable the webhook</a>
        ) : (
          <a href={href('/webhooks')}>add a webhook</a>
        )}
        , or let the flow send you a mail:{' '}
        {flows.map(({ id, name }, index) => (
          <span key={id}>
            {index > 0 && ', '}
            <a href={href(`/flows/${id}/edit`)}>{name}</a>
          </span>
        ))}
        .
      </p>
    </section>
  );
}
