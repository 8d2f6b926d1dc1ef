import type { CallOptions, CreateOptions } from '../connection.ts';
import { List } from '../list.ts';
import type { Answer, Body, FlowList, FlowListItem, Query } from '../types.ts';
import { Resource } from './resource.ts';

/** The pages, questions and offers that a customer who is about to leave goes through. */
export class Flows extends Resource {
  /** Flows, newest first. */
  list(query?: Query<'flows_list'>, options?: CallOptions): List<FlowList, FlowListItem> {
    return new List(
      (from) => this.connection.repeatable('get', '/api/v1/public/flows', { query: { ...query, ...from } }, options),
      ({ flows }) => flows,
    );
  }

  /** Creates a flow, as a draft. */
  create(body: Body<'flows_create'>, options?: CreateOptions): Promise<Answer<'flows_create'>> {
    return this.connection.creating('/api/v1/public/flows', { body }, options);
  }

  /** Reads a flow with its current version. */
  get(id: string, options?: CallOptions): Promise<Answer<'flows_get'>> {
    return this.connection.repeatable('get', '/api/v1/public/flows/{id}', { path: { id } }, options);
  }

  /** Changes the fields that are given. `{ status: 'published' }` publishes it. Sessions keep the version that they began with. */
  update(id: string, changes: Body<'flows_update'>, options?: CallOptions): Promise<Answer<'flows_update'>> {
    return this.connection.repeatable('put', '/api/v1/public/flows/{id}', { path: { id }, body: changes }, options);
  }

  /** Archives a flow: no further session starts on it. */
  archive(id: string, options?: CallOptions): Promise<Answer<'flows_archive'>> {
    return this.connection.repeatable('delete', '/api/v1/public/flows/{id}', { path: { id } }, options);
  }

  /** All versions of a flow, newest first. */
  versions(id: string, options?: CallOptions): Promise<Answer<'flows_versions'>> {
    return this.connection.repeatable('get', '/api/v1/public/flows/{id}/versions', { path: { id } }, options);
  }

  /** Reads a version of a flow. It never changes. */
  version(id: string, version: number, options?: CallOptions): Promise<Answer<'flows_version'>> {
    return this.connection.repeatable(
      'get',
      '/api/v1/public/flows/{id}/versions/{version}',
      { path: { id, version } },
      options,
    );
  }

  /** Save rates, reasons for leaving and results of offers. */
  stats(id: string, query?: Query<'flows_stats'>, options?: CallOptions): Promise<Answer<'flows_stats'>> {
    return this.connection.repeatable('get', '/api/v1/public/flows/{id}/stats', { path: { id }, query }, options);
  }

  /** How many sessions began on each day, and how many of them were saved and canceled. */
  statsDaily(
    id: string,
    query?: Query<'flows_statsDaily'>,
    options?: CallOptions,
  ): Promise<Answer<'flows_statsDaily'>> {
    return this.connection.repeatable('get', '/api/v1/public/flows/{id}/stats/daily', { path: { id }, query }, options);
  }

  /** How the sessions of one version went through its nodes: how many came to each, where they went on, and where they stopped. */
  statsNodes(
    id: string,
    query?: Query<'flows_statsNodes'>,
    options?: CallOptions,
  ): Promise<Answer<'flows_statsNodes'>> {
    return this.connection.repeatable('get', '/api/v1/public/flows/{id}/stats/nodes', { path: { id }, query }, options);
  }

  /** Starts a walk through a flow, a draft too, that is counted nowhere. Its steps are taken with `runtime.step`. */
  preview(id: string, options?: CreateOptions): Promise<Answer<'flows_preview'>> {
    return this.connection.creating('/api/v1/public/flows/{id}/preview', { path: { id } }, options);
  }
}
