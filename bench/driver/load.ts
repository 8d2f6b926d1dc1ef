/** What the load generator is asked to do, and what it answers: the two sides of a process boundary. */

export interface HttpRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Load {
  /** Of the servers: connections are spread over them in turn. */
  addresses: { host: string; port: number }[];
  /** Each has one request under way at a time and sends the next when the answer is there. */
  connections: number;
  /** Not counted. */
  warmupSeconds: number;
  seconds: number;
  /** The connections walk through them together, round and round. */
  requests: HttpRequest[];
}

export interface LoadResult {
  /** Answers in the seconds that count, for each second. */
  perSecond: number;
  /** Of the requests sent in the seconds that count, in milliseconds. */
  p50: number;
  p99: number;
  max: number;
  /** How many answers came with each status, the warm-up and what came after the end included. */
  statuses: Record<string, number>;
  /** What ended a connection, and how many. */
  errors: Record<string, number>;
  /** How much of one core the load generator itself used, from 0 to 1. */
  busy: number;
}
