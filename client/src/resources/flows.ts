import { answer, type CallOptions, type CreateOptions } from '../connection.ts';
import { List } from '../list.ts';
import type { Answer, Body, FlowList, FlowListItem, Query } from '../types.ts';
import { Resource } from './resource.ts';

/** The pages, questions and offers that a customer who is about to leave goes through. */
export class Flows extends Resource {
  /** Flows, newest first. */
  list(query?: Query<'flows_list'>, options?: CallOptions): List<FlowList, FlowListItem> {
    return new List(
      (from) =>
        answer(
          this.api.GET('/api/v1/public/flows', {
            params: { query: { ...query, ...from } },
            ...this.connection.repeatable(options),
          }),
        ),
      ({ flows }) => flows,
    );
  }

  /** Creates a flow, as a draft. */
  create(body: Body<'flows_create'>, options?: CreateOptions): Promise<Answer<'flows_create'>> {
    return answer(this.api.POST('/api/v1/public/flows', { body, ...this.connection.creating(options) }));
  }

  /** Reads a flow with its current version. */
  get(id: string, options?: CallOptions): Promise<Answer<'flows_get'>> {
    return answer(
      this.api.GET('/api/v1/public/flows/{id}', { params: { path: { id } }, ...this.connection.repeatable(options) }),
    );
  }

  /** Changes the fields that are given. `{ status: 'published' }` publishes it. Sessions keep the version that they began with. */
  update(id: string, changes: Body<'flows_update'>, options?: CallOptions): Promise<Answer<'flows_update'>> {
    return answer(
      this.api.PUT('/api/v1/public/flows/{id}', {
        params: { path: { id } },
        body: changes,
        ...this.connection.repeatable(options),
      }),
    );
  }

  /** Archives a flow: no further session starts on it. */
  archive(id: string, options?: CallOptions): Promise<Answer<'flows_archive'>> {
    return answer(
      this.api.DELETE('/api/v1/public/flows/{id}', {
        params: { path: { id } },
        ...this.connection.repeatable(options),
      }),
    );
  }

  /** All versions of a flow, newest first. */
  versions(id: string, options?: CallOptions): Promise<Answer<'flows_versions'>> {
    return answer(
      this.api.GET('/api/v1/public/flows/{id}/versions', {
        params: { path: { id } },
        ...this.connection.repeatable(options),
      }),
    );
  }

  /** Reads a version of a flow. It never changes. */
  version(id: string, version: number, options?: CallOptions): Promise<Answer<'flows_version'>> {
    return answer(
      this.api.GET('/api/v1/public/flows/{id}/versions/{version}', {
        params: { path: { id, version } },
        ...this.connection.repeatable(options),
      }),
    );
  }

  /** Save rates, reasons for leaving and results of offers. */
  stats(id: string, query?: Query<'flows_stats'>, options?: CallOptions): Promise<Answer<'flows_stats'>> {
    return answer(
      this.api.GET('/api/v1/public/flows/{id}/stats', {
        params: { path: { id }, query },
        ...this.connection.repeatable(options),
      }),
    );
  }

  /** Starts a walk through a flow, a draft too, that is counted nowhere. Its steps are taken with `runtime.step`. */
  preview(id: string, options?: CreateOptions): Promise<Answer<'flows_preview'>> {
    return answer(
      this.api.POST('/api/v1/public/flows/{id}/preview', {
        params: { path: { id } },
        ...this.connection.creating(options),
      }),
    );
  }
}
