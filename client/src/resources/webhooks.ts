import type { CallOptions, ChangeOptions, CreateOptions } from '../connection.ts';
import { List } from '../list.ts';
import type { Answer, Body, DeliveryList, DeliveryListItem, Query, Webhook, WebhookList } from '../types.ts';
import { Resource } from './resource.ts';

/** Your endpoints, which are told what happens. */
export class Webhooks extends Resource {
  /** Webhooks, newest first. */
  list(query?: Query<'webhooks_list'>, options?: CallOptions): List<WebhookList, Webhook> {
    return new List(
      (from) => this.connection.repeatable('get', '/api/v1/public/webhooks', { query: { ...query, ...from } }, options),
      ({ webhooks }) => webhooks,
    );
  }

  /** Creates a webhook. The answer has its secret, which is shown only this once. */
  create(body: Body<'webhooks_create'>, options?: CreateOptions): Promise<Answer<'webhooks_create'>> {
    return this.connection.creating('/api/v1/public/webhooks', { body }, options);
  }

  /** Reads a webhook. */
  get(id: string, options?: CallOptions): Promise<Answer<'webhooks_get'>> {
    return this.connection.repeatable('get', '/api/v1/public/webhooks/{id}', { path: { id } }, options);
  }

  /** Changes the fields that are given. */
  update(id: string, changes: Body<'webhooks_update'>, options?: ChangeOptions): Promise<Answer<'webhooks_update'>> {
    return this.connection.repeatable('put', '/api/v1/public/webhooks/{id}', { path: { id }, body: changes }, options);
  }

  /** Deletes a webhook. A 404 says that it is gone: after a lost answer, the next attempt gets it. */
  delete(id: string, options?: ChangeOptions): Promise<Answer<'webhooks_delete'>> {
    return this.connection.repeatable('delete', '/api/v1/public/webhooks/{id}', { path: { id } }, options);
  }

  /** Replaces the secret. For a while, deliveries are signed with both. Not tried again after a lost answer. */
  rotateSecret(
    id: string,
    body: Body<'webhooks_rotateSecret'> = {},
    options?: CallOptions,
  ): Promise<Answer<'webhooks_rotateSecret'>> {
    return this.connection.once('/api/v1/public/webhooks/{id}/rotate-secret', { path: { id }, body }, options);
  }

  /** What was sent to a webhook, newest first, and what failed and why. */
  deliveries(
    id: string,
    query?: Query<'webhooks_deliveries'>,
    options?: CallOptions,
  ): List<DeliveryList, DeliveryListItem> {
    return new List(
      (from) =>
        this.connection.repeatable(
          'get',
          '/api/v1/public/webhooks/{id}/deliveries',
          { path: { id }, query: { ...query, ...from } },
          options,
        ),
      ({ deliveries }) => deliveries,
    );
  }

  /** Sends a test event, or a sample of another `type`. Not tried again after a lost answer. */
  test(id: string, body: Body<'webhooks_test'> = {}, options?: CallOptions): Promise<Answer<'webhooks_test'>> {
    return this.connection.once('/api/v1/public/webhooks/{id}/test', { path: { id }, body }, options);
  }

  /** Sends what a webhook has missed. Not tried again after a lost answer. */
  recover(id: string, body: Body<'webhooks_recover'>, options?: CallOptions): Promise<Answer<'webhooks_recover'>> {
    return this.connection.once('/api/v1/public/webhooks/{id}/recover', { path: { id }, body }, options);
  }
}
