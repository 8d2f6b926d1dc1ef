import type { Writable } from 'node:stream';
import type { PoolClient } from 'pg';

/**
 * Lets the statements that are sent before the next tick leave in one packet. pg writes a packet for each, and has no
 * way to ask for its stream.
 */
export function sendTogether(client: PoolClient): void {
  const { stream } = (client as PoolClient & { connection: { stream: Writable } }).connection;
  // They do already.
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
