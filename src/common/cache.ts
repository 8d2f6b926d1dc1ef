import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

const MAX_BYTES = 64 * 1024 * 1024;
/** The estimated cost of an entry beyond its text: objects, key, list node. */
const ENTRY_BYTES = 1024;

/** Cached values of one kind, by key. */
export interface CacheRegion<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
}

/**
 * What the process remembers of the database. All regions share one limit in bytes, so that no tenant can fill the memory.
 * The least recently used value goes first.
 */
@Injectable()
export class Cache {
  private readonly entries = new LRUCache<string, object>({ maxSize: MAX_BYTES, sizeCalculation: bytesOf });

  region<T extends object>(kind: string): CacheRegion<T> {
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
