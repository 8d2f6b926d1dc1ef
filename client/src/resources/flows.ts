import type { CallOptions, ChangeOptions, CreateOptions } from '../connection.ts';
import { List } from '../list.ts';
import type { Answer, Body, FlowList, FlowListItem, Query, VersionList, VersionListItem } from '../types.ts';
import type { WebResponse } from '../web.ts';
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

  /**
   * Changes the fields that are given. `{ status: 'published' }` publishes it. Sessions keep the version that they
   * began with.
   */
  update(id: string, changes: Body<'flows_update'>, options?: ChangeOptions): Promise<Answer<'flows_update'>> {
    return this.connection.repeatable('put', '/api/v1/public/flows/{id}', { path: { id }, body: changes }, options);
  }

  /** Archives a flow: no further session starts on it. */
  archive(id: string, options?: ChangeOptions): Promise<Answer<'flows_archive'>> {
    return this.connection.repeatable('delete', '/api/v1/public/flows/{id}', { path: { id } }, options);
  }

  /** Versions of a flow, newest first. */
  versions(id: string, query?: Query<'flows_versions'>, options?: CallOptions): List<VersionList, VersionListItem> {
    return new List(
      (from) =>
        this.connection.repeatable(
          'get',
          '/api/v1/public/flows/{id}/versions',
          { path: { id }, query: { ...query, ...from } },
          options,
        ),
      ({ versions }) => versions,
    );
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

  /** Makes a new version with the content of an earlier one. */
  restore(
    id: string,
    version: number,
    body: Body<'flows_restore'> = {},
    options?: ChangeOptions,
  ): Promise<Answer<'flows_restore'>> {
    return this.connection.repeatable(
      'post',
      '/api/v1/public/flows/{id}/versions/{version}/restore',
      { path: { id, version }, body },
      options,
    );
  }

  /** Reads what is being edited of a flow, beside what is live. */
  draft(id: string, options?: CallOptions): Promise<Answer<'flows_draft'>> {
    return this.connection.repeatable('get', '/api/v1/public/flows/{id}/draft', { path: { id } }, options);
  }

  /** Changes the fields of the draft that are given. Without a draft, it begins as what is live. */
  saveDraft(id: string, changes: Body<'flows_saveDraft'>, options?: ChangeOptions): Promise<Answer<'flows_saveDraft'>> {
    return this.connection.repeatable(
      'put',
      '/api/v1/public/flows/{id}/draft',
      { path: { id }, body: changes },
      options,
    );
  }

  /** Deletes the draft. */
  deleteDraft(id: string, options?: ChangeOptions): Promise<Answer<'flows_deleteDraft'>> {
    return this.connection.repeatable('delete', '/api/v1/public/flows/{id}/draft', { path: { id } }, options);
  }

  /** Makes the draft the next version. */
  publishDraft(
    id: string,
    body: Body<'flows_publishDraft'> = {},
    options?: ChangeOptions,
  ): Promise<Answer<'flows_publishDraft'>> {
    return this.connection.once('/api/v1/public/flows/{id}/draft/publish', { path: { id }, body }, options);
  }

  /** What laws on cancelling may say of a flow, or of its draft. Hints, and no legal advice. */
  review(id: string, query?: Query<'flows_review'>, options?: CallOptions): Promise<Answer<'flows_review'>> {
    return this.connection.repeatable('get', '/api/v1/public/flows/{id}/review', { path: { id }, query }, options);
  }

  /** Save rates, reasons for leaving and results of offers. */
  stats(id: string, query?: Query<'flows_stats'>, options?: CallOptions): Promise<Answer<'flows_stats'>> {
    return this.connection.repeatable('get', '/api/v1/public/flows/{id}/stats', { path: { id }, query }, options);
  }

  /** The statistics as CSV, for a spreadsheet. */
  statsCsv(id: string, query?: Query<'flows_statsCsv'>, options?: CallOptions): Promise<WebResponse> {
    return this.connection.file('/api/v1/public/flows/{id}/stats.csv', { path: { id }, query }, options);
  }

  /** How many sessions began on each day, and how many of them were saved and canceled. */
  statsDaily(
    id: string,
    query?: Query<'flows_statsDaily'>,
    options?: CallOptions,
  ): Promise<Answer<'flows_statsDaily'>> {
    return this.connection.repeatable('get', '/api/v1/public/flows/{id}/stats/daily', { path: { id }, query }, options);
  }

  /**
   * How the sessions of one version went through its nodes: how many came to each, where they went on, and where they
   * stopped.
   */
  statsNodes(
    id: string,
    query?: Query<'flows_statsNodes'>,
    options?: CallOptions,
  ): Promise<Answer<'flows_statsNodes'>> {
    return this.connection.repeatable('get', '/api/v1/public/flows/{id}/stats/nodes', { path: { id }, query }, options);
  }

  /** Starts a walk through a flow, or its draft, that is counted nowhere. Its steps are taken with `runtime.step`. */
  preview(id: string, body: Body<'flows_preview'> = {}, options?: CreateOptions): Promise<Answer<'flows_preview'>> {
    return this.connection.creating('/api/v1/public/flows/{id}/preview', { path: { id }, body }, options);
  }
}
