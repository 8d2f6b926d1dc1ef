import type { CallOptions, ChangeOptions } from '../connection.ts';
import { List } from '../list.ts';
import type { Answer, Body, FulfilmentItem, FulfilmentList, Query } from '../types.ts';
import { Resource } from './resource.ts';

/** What customers decided for billing: accepted offers and cancellations. */
export class Fulfilments extends Resource {
  /** Newest session first; with `ending_before`, the first to end first. */
  list(query?: Query<'fulfilments_list'>, options?: CallOptions): List<FulfilmentList, FulfilmentItem> {
    return new List(
      (from) =>
        this.connection.repeatable('get', '/api/v1/public/fulfilments', { query: { ...query, ...from } }, options),
      ({ fulfilments }) => fulfilments,
    );
  }

  /** Lets what the dry run wrote down be carried out, or says what that would be. Not tried again after a lost answer. */
  carryOut(
    body: Body<'fulfilments_carryOut'>,
    query?: Query<'fulfilments_carryOut'>,
    options?: CallOptions,
  ): Promise<Answer<'fulfilments_carryOut'>> {
    return this.connection.once('/api/v1/public/fulfilments/carry-out', { query, body }, options);
  }
}

/** The connection to your billing system. */
export class Billing extends Resource {
  /** Reads the connection, without its secrets. A 404 says that there is none. */
  get(options?: CallOptions): Promise<Answer<'billing_get'>> {
    return this.connection.repeatable('get', '/api/v1/public/billing/connection', {}, options);
  }

  /**
   * What `terms` of offers can name: the prices and coupons of the billing system. A 404 says that none is connected.
   */
  catalog(options?: CallOptions): Promise<Answer<'billing_catalog'>> {
    return this.connection.repeatable('get', '/api/v1/public/billing/catalog', {}, options);
  }

  /**
   * Subscriptions to preview a flow as: the newest that have not ended. A 404 says that no billing system is connected.
   */
  subscriptions(options?: CallOptions): Promise<Answer<'billing_subscriptions'>> {
    return this.connection.repeatable('get', '/api/v1/public/billing/subscriptions', {}, options);
  }

  /** Connects, or changes the fields that are given. */
  connect(changes: Body<'billing_connect'>, options?: ChangeOptions): Promise<Answer<'billing_connect'>> {
    return this.connection.repeatable('put', '/api/v1/public/billing/connection', { body: changes }, options);
  }

  /** Forgets the connection. A 404 says that it is gone: after a lost answer, the next attempt gets it. */
  disconnect(options?: ChangeOptions): Promise<Answer<'billing_disconnect'>> {
    return this.connection.repeatable('delete', '/api/v1/public/billing/connection', {}, options);
  }
}
