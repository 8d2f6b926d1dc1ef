import { answer, type CallOptions, type CreateOptions } from '../connection.ts';
import { List } from '../list.ts';
import type { Answer, Body, DeliveryList, DeliveryListItem, Query, Webhook, WebhookList } from '../types.ts';
import { Resource } from './resource.ts';

/** Your endpoints, which are told what happens. */
export class Webhooks extends Resource {
  /** Webhooks, newest first. */
  list(query?: Query<'webhooks_list'>, options?: CallOptions): List<WebhookList, Webhook> {
    return new List(
      (from) =>
        answer(
          this.api.GET('/api/v1/public/webhooks', {
            params: { query: { ...query, ...from } },
            ...this.connection.repeatable(options),
          }),
        ),
      ({ webhooks }) => webhooks,
    );
  }

  /** Creates a webhook. The answer has its secret, which is shown only this once. */
  create(body: Body<'webhooks_create'>, options?: CreateOptions): Promise<Answer<'webhooks_create'>> {
    return answer(this.api.POST('/api/v1/public/webhooks', { body, ...this.connection.creating(options) }));
  }

  /** Reads a webhook. */
  get(id: string, options?: CallOptions): Promise<Answer<'webhooks_get'>> {
    return answer(
      this.api.GET('/api/v1/public/webhooks/{id}', {
        params: { path: { id } },
        ...this.connection.repeatable(options),
      }),
    );
  }

  /** Changes the fields that are given. */
  update(id: string, changes: Body<'webhooks_update'>, options?: CallOptions): Promise<Answer<'webhooks_update'>> {
    return answer(
      this.api.PUT('/api/v1/public/webhooks/{id}', {
        params: { path: { id } },
        body: changes,
        ...this.connection.repeatable(options),
      }),
    );
  }

  /** Deletes a webhook. A 404 says that it is gone: after a lost answer, the next attempt gets it. */
  delete(id: string, options?: CallOptions): Promise<Answer<'webhooks_delete'>> {
    return answer(
      this.api.DELETE('/api/v1/public/webhooks/{id}', {
        params: { path: { id } },
        ...this.connection.repeatable(options),
      }),
    );
  }

  /** Replaces the secret. For a while, deliveries are signed with both. Not tried again after a lost answer. */
  rotateSecret(
    id: string,
    body: Body<'webhooks_rotateSecret'> = {},
    options?: CallOptions,
  ): Promise<Answer<'webhooks_rotateSecret'>> {
    return answer(
      this.api.POST('/api/v1/public/webhooks/{id}/rotate-secret', {
        params: { path: { id } },
        body,
        ...this.connection.once(options),
      }),
    );
  }

  /** What was sent to a webhook, newest first, and what failed and why. */
  deliveries(
    id: string,
    query?: Query<'webhooks_deliveries'>,
    options?: CallOptions,
  ): List<DeliveryList, DeliveryListItem> {
    return new List(
      (from) =>
        answer(
          this.api.GET('/api/v1/public/webhooks/{id}/deliveries', {
            params: { path: { id }, query: { ...query, ...from } },
            ...this.connection.repeatable(options),
          }),
        ),
      ({ deliveries }) => deliveries,
    );
  }

  /** Sends a test event. Not tried again after a lost answer. */
  test(id: string, options?: CallOptions): Promise<Answer<'webhooks_test'>> {
    return answer(
      this.api.POST('/api/v1/public/webhooks/{id}/test', {
        params: { path: { id } },
        ...this.connection.once(options),
      }),
    );
  }

  /** Sends what a webhook has missed. Not tried again after a lost answer. */
  recover(id: string, body: Body<'webhooks_recover'>, options?: CallOptions): Promise<Answer<'webhooks_recover'>> {
    return answer(
      this.api.POST('/api/v1/public/webhooks/{id}/recover', {
        params: { path: { id } },
        body,
        ...this.connection.once(options),
      }),
    );
  }
}
