import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type JsonResponse, send } from './http';
import { integer, type Random, sequence } from './seed';
import type { Tenant } from './tenants';
import { until } from './until';

const CONNECTIONS = 32;
/** Shorter than the Retry-After of a 503, for more load. */
const PAUSE_MS = 100;

/** The steps of a customer through the default flow. */
export const STEPS = [
  { node_key: 'start', action: 'continue' },
  { node_key: 'reason', action: 'answer', option: 'other' },
  { node_key: 'confirm', action: 'confirm' },
];

/** A requested session, and what its client knows about it. */
export interface Start {
  tenant: Tenant;
  key: string;
  /** How many steps its customer will take. */
  steps: number;
  /** What the service has acknowledged so far. */
  session_id?: string;
  stepsTaken: number;
  /** Refused because the workspace had reached its limit. */
  refused: boolean;
}

/** 32 clients that start sessions and take steps, and what the service acknowledged to them. */
export class Load {
  readonly starts: Start[] = [];
  /** Responses with 503. */
  unavailable = 0;
  /** Requests whose connection was lost. */
  lost = 0;
  /** Responses that no fault justifies, each kind once. */
  readonly violations = new Set<string>();
  /** The longest a request took. */
  slowestMs = 0;

  private readonly agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  private clients: Promise<void>[] = [];
  private stopped = false;
  /** When the latest acknowledged request of each client began. */
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

  /** Waits until this many more sessions are acknowledged. */
  async untilAcknowledged(more: number): Promise<void> {
    const goal = this.acknowledged + more;
    await until(`${goal} acknowledged sessions`, () => this.acknowledged >= goal);
  }

  /** Waits until every client has had a request acknowledged that began after now. Returns the milliseconds it took. */
  untilServed(): Promise<number> {
    const now = performance.now();
    const all = () => this.served.size === CONNECTIONS && [...this.served.values()].every((begin) => begin > now);
    return until('every client is served again', all);
  }

  /** Repeats every start with its key, its last acknowledged step, and the steps that were not acknowledged. */
  async retryAll(): Promise<void> {
    const left = [...this.starts];
    const client = async () => {
      for (let start = left.pop(); start; start = left.pop()) {
        await this.start(start);
        if (!start.session_id) continue;
        start.stepsTaken = Math.max(0, start.stepsTaken - 1);
        await this.takeSteps(start);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, client));
  }

  /** Starts limit + 1 sessions, after which the workspace is at its limit. */
  async startBeyondLimit(tenant: Tenant): Promise<void> {
    const random = sequence(this.seed, `exhaust ${tenant.limit}`);
    const starts = Array.from({ length: tenant.limit + 1 }, () => this.newStart(random, tenant));
    for (let from = 0; from < starts.length; from += CONNECTIONS) {
      await Promise.all(starts.slice(from, from + CONNECTIONS).map((start) => this.start(start)));
    }
  }

  /** Starts a session in each workspace at once, and retries until each is decided. */
  async startInEach(tenants: Tenant[]): Promise<void> {
    const random = sequence(this.seed, 'each');
    const startUntilDecided = async (start: Start) => {
      while (!(await this.start(start))) await pause(PAUSE_MS);
    };
    await Promise.all(tenants.map((tenant) => startUntilDecided(this.newStart(random, tenant))));
  }

  private async client(number: number): Promise<void> {
    const random = sequence(this.seed, `client ${number}`);
    while (!this.stopped) {
      const begin = performance.now();
      const start = this.newStart(random, this.tenants[integer(random, 0, this.tenants.length - 1)]);
      const outcome = (await this.start(start)) && (await this.takeSteps(start));
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

  /** Returns whether the service decided: a session, or a refusal. */
  private async start(start: Start): Promise<boolean> {
    const { tenant, key } = start;
    const path = '/api/v1/runtime/session/init';
    const response = await this.post(path, { flow_slug: tenant.slug }, { 'idempotency-key': key });
    if (!response) return false;
    const { status, body } = response;
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

  /** Takes the remaining steps. Returns whether all were acknowledged. */
  private async takeSteps(start: Start): Promise<boolean> {
    while (start.session_id && start.stepsTaken < start.steps) {
      const response = await this.post(`/api/v1/runtime/session/${start.session_id}/step`, STEPS[start.stepsTaken]);
      if (!response) return false;
      if (response.status !== 200) {
        this.violations.add(`step ${start.stepsTaken + 1}: ${response.status} ${response.body.code}`);
        return false;
      }
      start.stepsTaken++;
    }
    return true;
  }

  /** Returns undefined if the outcome is unknown: a 503, or a lost connection. */
  private async post(path: string, body: object, headers?: Record<string, string>): Promise<JsonResponse | undefined> {
    const begin = performance.now();
    const response = await send(this.agent, 'POST', this.serviceUrl + path, body, headers).catch(() => undefined);
    this.slowestMs = Math.max(this.slowestMs, Math.round(performance.now() - begin));
    if (!response) this.lost++;
    if (response?.status === 503) this.unavailable++;
    return response?.status === 503 ? undefined : response;
  }
}
