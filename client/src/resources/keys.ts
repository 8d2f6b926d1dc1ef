import type { CallOptions, CreateOptions } from '../connection.ts';
import { List } from '../list.ts';
import type { Answer, ApiKey, ApiKeyList, Body, CustomerKey, CustomerKeyList, Query } from '../types.ts';
import { Resource } from './resource.ts';

/** The API keys of the workspace. */
export class ApiKeys extends Resource {
  /** API keys, newest first, revoked and expired ones too. */
  list(query?: Query<'apiKeys_list'>, options?: CallOptions): List<ApiKeyList, ApiKey> {
    return new List(
      (from) => this.connection.repeatable('get', '/api/v1/public/api-keys', { query: { ...query, ...from } }, options),
      ({ api_keys }) => api_keys,
    );
  }

  /** Issues an API key. It is shown only this once. */
  create(body: Body<'apiKeys_create'>, options?: CreateOptions): Promise<Answer<'apiKeys_create'>> {
    return this.connection.creating('/api/v1/public/api-keys', { body }, options);
  }

  /** Revokes an API key, at once. */
  revoke(id: string, options?: CallOptions): Promise<Answer<'apiKeys_revoke'>> {
    return this.connection.repeatable('delete', '/api/v1/public/api-keys/{id}', { path: { id } }, options);
  }
}

/** The keys that your backend signs customer tokens with. */
export class CustomerKeys extends Resource {
  /** Customer keys, newest first. */
  list(query?: Query<'customerKeys_list'>, options?: CallOptions): List<CustomerKeyList, CustomerKey> {
    return new List(
      (from) =>
        this.connection.repeatable('get', '/api/v1/public/customer-keys', { query: { ...query, ...from } }, options),
      ({ customer_keys }) => customer_keys,
    );
  }

  /** Creates a customer key. A secret is shown only this once. */
  create(body: Body<'customerKeys_create'>, options?: CreateOptions): Promise<Answer<'customerKeys_create'>> {
    return this.connection.creating('/api/v1/public/customer-keys', { body }, options);
  }

  /**
   * Deletes a customer key: its tokens are refused at once. A 404 says that it is gone: after a lost answer, the next
   * attempt gets it.
   */
  delete(id: string, options?: CallOptions): Promise<Answer<'customerKeys_delete'>> {
    return this.connection.repeatable('delete', '/api/v1/public/customer-keys/{id}', { path: { id } }, options);
  }
}
