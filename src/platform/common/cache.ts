import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

const MAX_BYTES = 64 * 1024 * 1024;
/** The estimated cost of an entry beyond its text: objects, key, list node. */
const ENTRY_BYTES = 1024;

/**
 * The process's memory of rows that don't change. All kinds of values share one limit in bytes, so that no tenant can
 * fill the memory. The least recently used value goes first.
 */
@Injectable()
export class Cache {
  private readonly entries = new LRUCache<string, object>({ maxSize: MAX_BYTES, sizeCalculation: bytesOf });

  /** The value of this kind with a key. If there is none yet it is read, and kept if it was found. */
  async getOrRead<T extends object>(kind: string, key: string, read: () => Promise<T | null>): Promise<T | undefined> {
    const known = this.entries.get(`${kind} ${key}`);
    if (known) return known as T;
    const found = await read();
    if (!found) return undefined;
    this.entries.set(`${kind} ${key}`, found);
    return found;
  }
}

/** V8 stores strings with two bytes per character, unless all of them are Latin-1. */
function bytesOf(value: object): number {
  return ENTRY_BYTES + 2 * JSON.stringify(value).length;
}
