import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

const MAX_BYTES = 64 * 1024 * 1024;
/** The estimated cost of an entry beyond its text: objects, key, list node. */
const ENTRY_BYTES = 1024;

/** The cached values of one kind, by key. */
export interface Remembered<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
}

/**
 * The in-process cache of what was read from the database. All kinds share one limit of 64 MiB, by the estimated size of
 * the values, so that no tenant can fill the memory. The least recently used entries are dropped first.
 */
@Injectable()
export class Memory {
  private readonly entries = new LRUCache<string, object>({ maxSize: MAX_BYTES, sizeCalculation: bytesOf });

  of<T extends object>(kind: string): Remembered<T> {
    return {
      get: (key) => this.entries.get(`${kind} ${key}`) as T | undefined,
      set: (key, value) => void this.entries.set(`${kind} ${key}`, value),
    };
  }
}

/** V8 stores strings with two bytes per character, unless all of them are Latin-1. */
function bytesOf(value: object): number {
  return ENTRY_BYTES + 2 * JSON.stringify(value).length;
}
