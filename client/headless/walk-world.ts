import type { TabStorage } from './memory.ts';
import type { Branding, Shown } from './types.ts';
import { createWalk, type End, type Walk, type WalkOptions, type World } from './walk.ts';

/** A response, or a failure of the network. `after`: milliseconds until it comes; without it, it comes at once. */
export type Reply = { after?: number } & (
  | { network: 'fails' }
  | { network: 'hangs' }
  | { network?: undefined; status: number; body: unknown; headers?: Record<string, string> }
);

export interface SentRequest {
  method: string;
  /** Behind /api/v1/runtime/session. */
  path: string;
  /** The parsed body; undefined without one. */
  body?: { [field: string]: unknown };
  key?: string;
  keepalive: boolean;
  at: number;
  isAborted: boolean;
}

/** A tab of a browser for tests: its clock is moved by hand, and a function answers its requests. */
export class TestWorld implements World {
  readonly requests: SentRequest[] = [];
  readonly items = new Map<string, string>();
  /** Answers each request. */
  service: (request: SentRequest) => Reply = () => ({ network: 'hangs' });

  private time = 1000;
  private keys = 0;
  private readonly walkTimers = new Set<Timer>();
  private readonly deliveries = new Set<Timer>();

  storage: TabStorage | undefined = {
    getItem: (name) => this.items.get(name) ?? null,
    setItem: (name, value) => void this.items.set(name, value),
    removeItem: (name) => void this.items.delete(name),
  };

  now = () => this.time;

  after = (milliseconds: number, callback: () => void) => this.schedule(this.walkTimers, milliseconds, callback);

  randomKey = () => `key-of-16-characters-${++this.keys}`;

  fetch = ((url: string, init: RequestInit) => {
    const { signal } = init;
    const request: SentRequest = {
      method: init.method ?? 'GET',
      path: url.replace('https://retention.acme.example/api/v1/runtime/session', ''),
      body: init.body ? (JSON.parse(init.body as string) as SentRequest['body']) : undefined,
      key: (init.headers as Record<string, string> | undefined)?.['idempotency-key'],
      keepalive: init.keepalive ?? false,
      at: this.time,
      isAborted: false,
    };
    this.requests.push(request);
    const reply = this.service(request);
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => {
        request.isAborted = true;
        reject(new Error('aborted'));
      });
      const deliver = () => {
        if (reply.network === 'fails') reject(new TypeError('Failed to fetch'));
        if (!reply.network) resolve(responseOf(reply) as Response);
      };
      if (reply.after) this.schedule(this.deliveries, reply.after, deliver);
      else deliver();
    });
  }) as typeof fetch;

  /** The service gives these answers, one after another; then it hangs. */
  answers(...replies: Reply[]): void {
    this.service = () => replies.shift() ?? { network: 'hangs' };
  }

  /** How many timers the walk has set. */
  get timers(): number {
    return this.walkTimers.size;
  }

  /** Lets time go by, with everything that happens meanwhile. */
  async pass(milliseconds: number): Promise<void> {
    const until = this.time + milliseconds;
    await settle();
    for (;;) {
      const due = [...this.walkTimers, ...this.deliveries].filter(({ at }) => at <= until);
      if (due.length === 0) break;
      const next = due.reduce((first, timer) => (timer.at < first.at ? timer : first));
      this.time = Math.max(this.time, next.at);
      this.walkTimers.delete(next);
      this.deliveries.delete(next);
      next.callback();
      await settle();
    }
    this.time = until;
  }

  private schedule(timers: Set<Timer>, milliseconds: number, callback: () => void): () => void {
    const timer = { at: this.time + milliseconds, callback };
    timers.add(timer);
    return () => void timers.delete(timer);
  }
}

interface Timer {
  at: number;
  callback: () => void;
}

/** A walk with all that it reported. */
export class WatchedWalk {
  readonly views: Shown[] = [];
  readonly ends: End[] = [];
  readonly brandings: Branding[] = [];
  /** How many views had been shown at the end. */
  viewsAtEnd = 0;
  readonly walk: Walk;

  constructor(world: World, options: Partial<WalkOptions> = {}) {
    this.walk = createWalk(
      {
        api: 'https://retention.acme.example',
        flow: 'leaving-acme-pro-k3v9x2mq',
        onView: (view) => this.views.push(view),
        onBranding: (branding) => this.brandings.push(branding),
        onEnd: (end) => {
          this.ends.push(end);
          this.viewsAtEnd = this.views.length;
        },
        ...options,
      },
      world,
    );
  }

  get view(): Shown | undefined {
    return this.views[this.views.length - 1];
  }

  get end(): End | undefined {
    return this.ends[this.ends.length - 1];
  }
}

/** More turns than the longest chain of promises in the walk takes. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await Promise.resolve();
}

/** A body that is a text is sent as it is, and may be no JSON. */
function responseOf({ status, body, headers }: { status: number; body: unknown; headers?: Record<string, string> }) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: new Headers(headers),
    json: () => Promise.resolve(text).then((text) => JSON.parse(text) as unknown),
  };
}
