import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ConcurrencyLimit } from '../../platform/database/queue/concurrency-limit';
import type { Provider } from '../model/provider';
import type { Connected } from './connections.service';

/** The most customers and previews that are looked up at once, for all workspaces and for one. */
const MOST = 24;
const MOST_OF_WORKSPACE = 4;
/** How long the others wait. Their answers may come too late for the next step, and in time for the one after. */
const WAIT_MS = 2000;

/**
 * What billing systems say while a customer or the team waits: so much at once, and the same question once in 10
 * seconds, however many sessions and previews begin.
 */
@Injectable()
export class RecentAnswers {
  private readonly limit = new ConcurrencyLimit(MOST, { ofKey: MOST_OF_WORKSPACE, waitMs: WAIT_MS });
  private readonly recent = new LRUCache<string, Promise<unknown>>({ max: 1000, ttl: 10_000 });

  /** Runs a look-up when it is the workspace's turn. 503 if that takes too long. */
  inTurn<T>(workspaceId: string, lookUp: () => Promise<T>): Promise<T> {
    return this.limit.run(workspaceId, lookUp);
  }

  /** The answer to a question. A failure, and undefined, is forgotten. */
  once<T>(question: unknown, answer: () => Promise<T>): Promise<T> {
    const key = JSON.stringify(question);
    const known = this.recent.get(key);
    if (known) return known as Promise<T>;
    const asked = answer();
    this.recent.set(key, asked);
    const forget = () => void this.recent.delete(key);
    asked.then((answered) => answered ?? forget(), forget);
    return asked;
  }

  /** Reads the prices and coupons of a connection, each once. */
  namedBy(workspaceId: string, connected: Connected): Provider['named'] {
    const { provider } = connected;
    return ({ price, coupon }) =>
      this.once([...placeOf(workspaceId, connected), price, coupon], () => provider.named({ price, coupon }));
  }

  /** The name of a product. */
  nameOf(workspaceId: string, connected: Connected, product: string): Promise<string> {
    return this.once([...placeOf(workspaceId, connected), 'product', product], () =>
      connected.provider.nameOf(product),
    );
  }
}

/** Where a question is asked. */
const placeOf = (workspaceId: string, { connection }: Connected) => [
  workspaceId,
  connection.api_key.toString('base64'),
  connection.account,
];
