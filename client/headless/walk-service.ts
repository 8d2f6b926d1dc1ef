import fc from 'fast-check';
import { ACCEPTED_OFFER, CANCEL_URL, problem, RUBBISH, state, stateAt } from './walk-answers.ts';
import type { Reply, SentRequest } from './walk-world.ts';

const NODES = ['start', 'survey', 'offer', 'confirm'].map((type) => ({
  key: type,
  type,
  config: { title: type, options: [{ value: 'a', label: 'A' }] },
}));
const ONWARD = ['continue', 'answer', 'decline'];

interface Session {
  id: string;
  node: number;
  status: 'in_progress' | 'saved' | 'contacted' | 'canceled';
  accepted: boolean;
  steps: { sent: string; node: number }[];
}

/** What the network does with a request: whether it gets to the service, and what comes back. */
export type Fault = { arrives: boolean; reply?: Reply; after: number };

export const faults: fc.Arbitrary<Fault> = fc.record({
  arrives: fc.boolean(),
  reply: fc.option(
    fc.constantFrom<Reply>(
      { network: 'fails' },
      { network: 'hangs' },
      RUBBISH,
      { status: 502, body: '' },
      { status: 404, body: '<html>' },
      problem(408, 'request_timeout'),
      problem(409, 'conflict', {}, { 'retry-after': '1' }),
      problem(429, 'too_many_requests', {}, { 'retry-after': '2' }),
      problem(500, 'internal_error'),
      problem(503, 'service_unavailable', {}, { 'retry-after': '1' }),
    ),
    { nil: undefined },
  ),
  after: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 4000 })),
});

/** Two requests of three go well; otherwise hardly any walk would get far. */
export const network = fc.infiniteStream(
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: faults }),
);

/** A service with one flow: start, survey, offer, confirm. It answers as the real one does. */
export class TestService {
  readonly sessions = new Map<string, Session>();
  started = 0;
  /** How often a session was lost. */
  lost = 0;
  private readonly keys = new Map<string, string>();

  /** @param accepted what who accepts the offer has done: decided to stay, or nothing yet */
  constructor(
    private readonly network: Iterator<Fault | undefined>,
    private readonly accepted: 'saved' | 'contacted' = 'saved',
  ) {}

  answer = (request: SentRequest): Reply => {
    const fault = this.network.next().value as Fault | undefined;
    if (!fault) return this.handle(request);
    const reply = fault.arrives || !fault.reply ? this.handle(request) : fault.reply;
    return { ...(fault.reply ?? reply), after: fault.after };
  };

  /** Loses every session, as after a restore of an older backup. */
  lose(): void {
    if (this.sessions.size > 0) this.lost++;
    this.sessions.clear();
    this.keys.clear();
  }

  private handle({ method, path, key, body }: SentRequest): Reply {
    if (path === '/init') return this.start(key!);
    const session = this.sessions.get(path.split('/')[1]);
    if (!session) return problem(404, 'session_not_found');
    if (method === 'GET') return state(stateOf(session));
    const sent = JSON.stringify(body);
    const earlier = session.steps.findIndex((step) => step.sent === sent);
    if (earlier >= 0) return state(this.after(session, earlier));
    const { action, node_key } = body as { action: string; node_key?: string };
    const isOpen = session.status === 'in_progress' || (session.status === 'contacted' && action === 'cancel');
    if (!isOpen) return conflict(session);
    const leaves = action === 'cancel' || action === 'keep';
    if (!leaves && node_key !== NODES[session.node].key) return conflict(session);
    session.steps.push({ sent, node: session.node });
    if (action === 'cancel' || action === 'confirm') session.status = 'canceled';
    else if (action === 'accept') Object.assign(session, { status: this.accepted, accepted: true });
    else if (!ONWARD.includes(action)) session.status = 'saved';
    else session.node++;
    return state(stateOf(session));
  }

  private start(key: string): Reply {
    const id = this.keys.get(key) ?? `session-${++this.started}`;
    this.keys.set(key, id);
    if (!this.sessions.has(id)) {
      this.sessions.set(id, { id, node: 0, status: 'in_progress', accepted: false, steps: [] });
    }
    return { status: 201, body: { session_id: id, flow: { name: 'A flow', entry_node: NODES[0] } } };
  }

  /** Where a step that was taken before led then. */
  private after(session: Session, index: number): object {
    const following = session.steps.at(index + 1);
    return following ? stateAt(NODES[following.node]) : stateOf(session);
  }
}

function stateOf({ node, status, accepted }: Session): object {
  if (status === 'in_progress') return stateAt(NODES[node]);
  const redirect_url = status === 'canceled' ? CANCEL_URL : null;
  return stateAt(null, {
    status,
    redirect_url,
    accepted_offer: accepted && status !== 'canceled' ? ACCEPTED_OFFER : null,
  });
}

function conflict(session: Session): Reply {
  return problem(409, 'step_conflict', { session: stateOf(session), cancellation_url: CANCEL_URL });
}
