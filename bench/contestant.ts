import { isDeepStrictEqual } from 'node:util';
import { type Ask, type Case, startsSessions } from './cases';
import type { Children, Server } from './children';
import { drive } from './drive';
import type { HttpRequest, LoadResult } from './driver/load';
import { usageOf } from './process-usage';

/** What one measurement found; what it can't tell is undefined. */
export interface Measurement {
  perSecond: number;
  p50?: number;
  p99?: number;
  /** Of the server's processes, for each answer. */
  cpuMicroseconds?: number;
  rssBytes?: number;
  /** How much of one core the load generator used, from 0 to 1. */
  driverBusy?: number;
}

/** One that is measured. */
export interface Contestant {
  name: string;
  takesPart(one: Case): boolean;
  /** Throws when it does not do what it should: a fast wrong answer is no result. */
  measure(one: Case, seconds: number): Promise<Measurement>;
}

/** What its database says of the sessions of a server. */
export interface Books {
  /** Rows of sessions. */
  rows: number;
  /** The counters of all workspaces. */
  counted: number;
}

/** A server that is driven over HTTP, as one process or several. */
export class HttpContestant implements Contestant {
  constructor(
    readonly name: string,
    private readonly servers: Server[],
    private readonly children: Children,
    private readonly folder: string,
    private readonly requests: Partial<Record<Ask, HttpRequest[]>>,
    /** undefined: it keeps none. */
    private readonly readBooks?: () => Promise<Books>,
  ) {}

  takesPart({ ask }: Case): boolean {
    return this.requests[ask] !== undefined;
  }

  /** The answer to one request of a case. */
  async ask(one: Case): Promise<unknown> {
    const [{ path, ...request }] = this.requests[one.ask]!;
    const response = await fetch(this.servers[0].url + path, request);
    if (response.status !== one.status) {
      throw new Error(`${this.name}, ${one.name}: ${response.status} ${await response.text()}`);
    }
    return response.json();
  }

  async measure(one: Case, seconds: number): Promise<Measurement> {
    const booksBefore = await this.readBooks?.();
    const before = usageOf(this.servers);
    const urls = this.servers.map(({ url }) => url);
    const result = await drive({ children: this.children, folder: this.folder }, urls, {
      requests: this.requests[one.ask]!,
      connections: one.connections,
      seconds,
    });
    const after = usageOf(this.servers);
    const booksAfter = await this.readBooks?.();

    const answers = this.checkAnswers(one, result);
    if (booksBefore && booksAfter) this.checkBooks(one, booksBefore, booksAfter, answers);

    const { perSecond, p50, p99, busy: driverBusy } = result;
    const cpuSeconds = before && after && after.cpuSeconds - before.cpuSeconds;
    const cpuMicroseconds = cpuSeconds === undefined ? undefined : (cpuSeconds / answers) * 1e6;
    return { perSecond, p50, p99, cpuMicroseconds, rssBytes: after?.rssBytes, driverBusy };
  }

  /** Answers how many answers there were, all of them right. */
  private checkAnswers({ name, status }: Case, { statuses, errors }: LoadResult): number {
    const answers = statuses[status] ?? 0;
    if (!isDeepStrictEqual(statuses, { [status]: answers }) || Object.keys(errors).length > 0) {
      throw new Error(`${this.name}, ${name}: ${JSON.stringify({ statuses, errors })}`);
    }
    return answers;
  }

  /** Each session that was acknowledged is a row and is counted, once; no other is. */
  private checkBooks(one: Case, before: Books, after: Books, answers: number): void {
    const added: Books = { rows: after.rows - before.rows, counted: after.counted - before.counted };
    const expected = startsSessions(one) ? answers : 0;
    if (added.rows !== expected || added.counted !== expected || after.rows !== after.counted) {
      const found = `${added.rows} rows, ${added.counted} counted`;
      throw new Error(`${this.name}, ${one.name}: ${expected} sessions acknowledged, ${found}`);
    }
  }
}
