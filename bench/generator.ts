import { cpuSecondsOf, cpuSecondsOfPostgres, residentBytesOf } from './processes';
import { Connection } from './connection';

/** Stands in a path for the id of the session that the walk started. */
export const SESSION_ID = '{session_id}';

/** The warm-up is longer if it takes longer to take every walk once: a server should have seen each flow and key. */
const WARMUP_SECONDS = 1;
/**
 * Sessions started for the steps, for each session that the warm-up walked in the same time. Steps alone are faster.
 */
const SPARE_SESSIONS = 3;

export interface HttpRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: object;
  /** The expected status; any other fails the run. */
  status: number;
}

/** Requests sent one after the other on one connection. A walk of several starts a session and takes its steps. */
export type Walk = HttpRequest[];

export interface Load {
  host: string;
  port: number;
  serverPid: number;
  /** undefined: Postgres does not run on this machine. */
  postmasterPid?: number;
  /** Each has one request in flight and sends the next when the response is there. */
  connections: number;
  /** The connections take them in order, over and over. */
  walks: Walk[];
  /** What is counted: requests, steps of sessions that were started before, or whole walks. */
  unit: 'request' | 'step' | 'walk';
  seconds: number;
}

export interface LoadResult {
  /** Units a second. */
  perSecond: number;
  /** Milliseconds a unit. */
  p50: number;
  p99: number;
  /** CPU time a unit; undefined where there is no /proc. */
  serverMicroseconds?: number;
  postgresMicroseconds?: number;
  /** Resident memory of the server at the end. */
  rssBytes?: number;
  /** Sessions started, including those that are not measured. */
  started: number;
  /** Share of one core that the load generator used, 0 to 1. */
  busy: number;
}

interface PreparedRequest {
  /** The text to send, split where the session's id goes. */
  parts: string[];
  status: number;
  /** Further requests of the walk need the `session_id` of the response. */
  startsSession: boolean;
}

interface Job {
  requests: PreparedRequest[];
  sessionId?: string;
}

class Generator {
  private readonly walks: PreparedRequest[][];
  private connections: Connection[] = [];
  private nextWalk = 0;
  private started = 0;

  constructor(private readonly load: Load) {
    this.walks = load.walks.map((walk) => walk.map((request) => prepare(request, load.host)));
  }

  async run(): Promise<LoadResult> {
    const { host, port, connections, unit, seconds, serverPid, postmasterPid } = this.load;
    this.connections = await Promise.all(Array.from({ length: connections }, () => Connection.open(host, port)));
    const warmup = await this.play(WARMUP_SECONDS, this.wholeWalks, 'walk', this.walks.length);
    const jobs = unit === 'step' ? await this.startSessions(warmup.perSecond * seconds * SPARE_SESSIONS) : undefined;

    const before = { server: cpuSecondsOf(serverPid), postgres: cpuSecondsOfPostgres(postmasterPid) };
    const own = process.cpuUsage();
    const { latencies, perSecond, elapsedSeconds } = await this.play(
      seconds,
      jobs ? () => jobs.pop() : this.wholeWalks,
      unit,
    );
    const { user, system } = process.cpuUsage(own);
    const after = { server: cpuSecondsOf(serverPid), postgres: cpuSecondsOfPostgres(postmasterPid) };
    for (const connection of this.connections) connection.close();

    const microseconds = (from?: number, to?: number) =>
      from === undefined || to === undefined ? undefined : ((to - from) / latencies.length) * 1e6;
    return {
      perSecond,
      p50: percentile(latencies, 0.5),
      p99: percentile(latencies, 0.99),
      serverMicroseconds: microseconds(before.server, after.server),
      postgresMicroseconds: microseconds(before.postgres, after.postgres),
      rssBytes: residentBytesOf(serverPid),
      started: this.started,
      busy: (user + system) / 1e6 / elapsedSeconds,
    };
  }

  private readonly wholeWalks = (): Job => ({ requests: this.walks[this.nextWalk++ % this.walks.length] });

  /** Starts sessions and returns a job with the steps of each. */
  private async startSessions(count: number): Promise<Job[]> {
    const jobs: Job[] = [];
    await this.onEachConnection(async (connection) => {
      while (jobs.length < count) {
        const [start, ...requests] = this.wholeWalks().requests;
        jobs.push({ requests, sessionId: await this.send(connection, start) });
      }
    });
    return jobs;
  }

  /**
   * Keeps every connection busy for some seconds and at least a minimum of units, unless jobs run out. Jobs begun are
   * finished and count.
   */
  private async play(seconds: number, nextJob: () => Job | undefined, unit: Load['unit'], minimum = 0) {
    const latencies: number[] = [];
    const start = performance.now();
    const until = start + seconds * 1000;
    await this.onEachConnection(async (connection) => {
      while (performance.now() < until || latencies.length < minimum) {
        const job = nextJob();
        if (!job) return;
        const begun = performance.now();
        let { sessionId } = job;
        for (const request of job.requests) {
          const sent = performance.now();
          sessionId = await this.send(connection, request, sessionId);
          if (unit !== 'walk') latencies.push(performance.now() - sent);
        }
        if (unit === 'walk') latencies.push(performance.now() - begun);
      }
    });
    const elapsedSeconds = (performance.now() - start) / 1000;
    return {
      latencies: latencies.toSorted((a, b) => a - b),
      perSecond: latencies.length / elapsedSeconds,
      elapsedSeconds,
    };
  }

  private async onEachConnection(work: (connection: Connection) => Promise<void>): Promise<void> {
    await Promise.all(this.connections.map(work));
  }

  /** Returns the id of the session: the given one, or that of the session which the request started. */
  private async send(connection: Connection, request: PreparedRequest, sessionId = ''): Promise<string> {
    const { parts, status, startsSession } = request;
    const sent = parts.join(sessionId);
    const response = await connection.send(sent);
    if (response.status !== status) {
      throw new Error(`${sent.split(' HTTP', 1)[0]}: ${response.status} instead of ${status}\n${response.text()}`);
    }
    if (!startsSession) return sessionId;
    this.started++;
    return (JSON.parse(response.text()) as { session_id: string }).session_id;
  }
}

function prepare({ method, path, headers, body, status }: HttpRequest, host: string): PreparedRequest {
  const content = body ? JSON.stringify(body) : '';
  const fields = { host, ...headers, ...(body && { 'content-length': String(Buffer.byteLength(content)) }) };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const bytes = `${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${content}`;
  return { parts: bytes.split(SESSION_ID), status, startsSession: path.endsWith('/session/init') };
}

/** The smallest value that at least this share of all do not exceed. */
function percentile(sorted: number[], share: number): number {
  return sorted[Math.ceil(sorted.length * share) - 1];
}

/**
 * A process of its own, so that generating load takes nothing from the benchmark's event loop: one Load in, one
 * LoadResult out.
 */
if (require.main === module) {
  process.once('message', (load: Load) => {
    new Generator(load)
      .run()
      .then((result) => process.send!(result, () => process.disconnect()))
      .catch((error: unknown) => {
        console.error(error);
        process.exit(1);
      });
  });
}
