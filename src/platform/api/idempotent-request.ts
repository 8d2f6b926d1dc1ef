import { createHash } from 'node:crypto';
import { isPlainObject } from '../common/json';

/** A request that may be sent again: its Idempotency-Key, and a hash by which another request is recognized. */
export interface IdempotentRequest {
  /** 16 to 255 printable ASCII characters. */
  key: string;
  request_hash: Buffer;
}

/** SHA-256 of what a request asks for. Requests that differ only in the order of their fields are the same. */
export function requestHashOf(asked: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(asked, withSortedKeys)).digest();
}

/** A replacer for JSON.stringify. */
function withSortedKeys(_: string, value: unknown): unknown {
  return isPlainObject(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;
}
