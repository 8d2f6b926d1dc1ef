import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, send } from './http';
import { integer, type Random, sequence } from './seed';
import type { Tenant } from './tenants';
import { until } from './until';

const CONNECTIONS = 32;
/** A client that was turned away is told to come back in a second; these come sooner. */
const PAUSE_MS = 100;

/** The way of a customer through the flow that every workspace begins with. */
export const STEPS = [
  { node_key: 'start', action: 'continue' },
  { node_key: 'reason', action: 'answer', option: 'other' },
  { node_key: 'confirm', action: 'confirm' },
];

/** A session that was asked for, and what its client knows of it. */
export interface Start {
  tenant: Tenant;
  key: string;
  /** How many steps its customer wants to take. */
  steps: number;
  /** What the service has acknowledged so far. */
  session_id?: string;
  stepsTaken: number;
  /** Refused for good, because the workspace had reached its limit. */
  refused: boolean;
}

/** Customers who leave, 32 at a time, and what was promised to them. */
export class Load {
  readonly starts: Start[] = [];
  /** Answers with 503. */
  unavailable = 0;
  /** Requests whose connection was lost. */
  lost = 0;
  /** Answers that no fault excuses, each kind once. */
  readonly violations = new Set<string>();
  /** The longest that a request took. */
  slowestMs = 0;

  private readonly agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  private clients: Promise<void>[] = [];
  private stopped = false;
  /** When the latest request began that each client has had acknowledged. */
  private readonly served = new Map<number, number>();

  constructor(
    public serviceUrl: string,
    private readonly tenants: Tenant[],
    private readonly seed: number,
  ) {}

  get acknowledged(): number {
    return this.starts.filter(({ session_id }) => session_id).length;
  }

  begin(): void {
    this.clients = Array.from({ length: CONNECTIONS }, (_, client) => this.client(client));
  }

  async end(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.clients);
  }

  /** Waits until so many more sessions are acknowledged. */
  async untilAcknowledged(more: number): Promise<void> {
    const goal = this.acknowledged + more;
    await until(`${goal} acknowledged sessions`, () => this.acknowledged >= goal);
  }

  /** Waits until every client has had a request acknowledged that it made after now, and answers how long that took. */
  untilServed(): Promise<number> {
    const now = performance.now();
    const all = () => this.served.size === CONNECTIONS && [...this.served.values()].every((begin) => begin > now);
    return until('every client is served again', all);
  }

  /** Asks once more for all sessions, with the same keys, and takes the last step that was taken and those that weren't. */
  async retryAll(): Promise<void> {
    const left = [...this.starts];
    const client = async () => {
      for (let start = left.pop(); start; start = left.pop()) {
        await this.ask(start);
        if (!start.session_id) continue;
        start.stepsTaken = Math.max(0, start.stepsTaken - 1);
        await this.walk(start);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, client));
  }

  /** Asks for sessions of a workspace beyond its limit. */
  async exhaust(tenant: Tenant): Promise<void> {
    const random = sequence(this.seed, `exhaust ${tenant.limit}`);
    const starts = Array.from({ length: tenant.limit + 1 }, () => this.newStart(random, tenant));
    for (let from = 0; from < starts.length; from += CONNECTIONS) {
      await Promise.all(starts.slice(from, from + CONNECTIONS).map((start) => this.ask(start)));
    }
  }

  /** Asks for one session of each of the workspaces, all at once, until they are decided. */
  async askEach(tenants: Tenant[]): Promise<void> {
    const random = sequence(this.seed, 'each');
    const insist = async (start: Start) => {
      while (!(await this.ask(start))) await pause(PAUSE_MS);
    };
    await Promise.all(tenants.map((tenant) => insist(this.newStart(random, tenant))));
  }

  private async client(number: number): Promise<void> {
    const random = sequence(this.seed, `client ${number}`);
    while (!this.stopped) {
      const begin = performance.now();
      const start = this.newStart(random, this.tenants[integer(random, 0, this.tenants.length - 1)]);
      const outcome = (await this.ask(start)) && (await this.walk(start));
      if (outcome) this.served.set(number, begin);
      else await pause(PAUSE_MS);
    }
  }

  private newStart(random: Random, tenant: Tenant): Start {
    const key = Array.from({ length: 4 }, () => integer(random, 0, 2 ** 32 - 1).toString(36)).join('-');
    const steps = integer(random, 0, 1) && integer(random, 1, STEPS.length);
    const start = { tenant, key: `${key}-${'k'.repeat(16)}`, steps, stepsTaken: 0, refused: false };
    this.starts.push(start);
    return start;
  }

  /** Answers whether it was decided. */
  private async ask(start: Start): Promise<boolean> {
    const { tenant, key } = start;
    const path = '/api/v1/runtime/session/init';
    const answer = await this.post(path, { flow_slug: tenant.slug }, { 'idempotency-key': key });
    if (!answer) return false;
    const { status, body } = answer;
    if (status === 201 && !start.refused) {
      start.session_id ??= body.session_id;
      if (start.session_id !== body.session_id) this.violations.add('two sessions for one key');
    } else if (body.code === 'session_limit_reached' && !start.session_id) {
      start.refused = true;
    } else {
      const state = start.session_id ? 'acknowledged' : start.refused ? 'refused' : 'undecided';
      this.violations.add(`a start that was ${state}: ${status} ${body.code}`);
    }
    return true;
  }

  /** Takes the steps that are left; answers whether all of them were acknowledged. */
  private async walk(start: Start): Promise<boolean> {
    while (start.session_id && start.stepsTaken < start.steps) {
      const answer = await this.post(`/api/v1/runtime/session/${start.session_id}/step`, STEPS[start.stepsTaken]);
      if (!answer) return false;
      if (answer.status !== 200) {
        this.violations.add(`step ${start.stepsTaken + 1}: ${answer.status} ${answer.body.code}`);
        return false;
      }
      start.stepsTaken++;
    }
    return true;
  }

  /** undefined where the outcome is unknown: it was answered with 503, or the connection was lost. */
  private async post(path: string, body: object, headers?: Record<string, string>): Promise<Answer | undefined> {
    const begin = performance.now();
    const answer = await send(this.agent, 'POST', this.serviceUrl + path, body, headers).catch(() => undefined);
    this.slowestMs = Math.max(this.slowestMs, Math.round(performance.now() - begin));
    if (!answer) this.lost++;
    if (answer?.status === 503) this.unavailable++;
    return answer?.status === 503 ? undefined : answer;
  }
}
