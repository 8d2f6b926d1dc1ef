import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

const MAX_BYTES = 64 * 1024 * 1024;
/** What an entry costs besides its text: its objects, its key, its place. */
const ENTRY_BYTES = 1024;

/** Things of one kind, by key. */
export interface Remembered<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
}

/**
 * What the process remembers of the database. All of it shares one bound, by what it holds and not by its number, so no
 * tenant fills the memory; what was not asked for longest is forgotten first.
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

/** JavaScript keeps text in two bytes a character, unless all of it is Latin. */
function bytesOf(value: object): number {
  return ENTRY_BYTES + 2 * JSON.stringify(value).length;
}
