import type { CallOptions, ChangeOptions, CreateOptions } from '../connection.ts';
import { List } from '../list.ts';
import type { Answer, Body, Query, Workspace, WorkspaceList } from '../types.ts';
import type { WebResponse } from '../web.ts';
import { Resource } from './resource.ts';

/** The workspace that the API key belongs to. */
export class OwnWorkspace extends Resource {
  /** Reads the workspace and how many sessions it has used this month. */
  get(options?: CallOptions): Promise<Answer<'workspace_get'>> {
    return this.connection.repeatable('get', '/api/v1/public/workspace', {}, options);
  }

  /** Changes the fields that are given. */
  update(changes: Body<'workspace_update'>, options?: ChangeOptions): Promise<Answer<'workspace_update'>> {
    return this.connection.repeatable('put', '/api/v1/public/workspace', { body: changes }, options);
  }

  /** Makes a test workspace with the same configuration. Its first API key is shown only this once. */
  createTest(options?: CreateOptions): Promise<Answer<'workspace_createTest'>> {
    return this.connection.creating('/api/v1/public/workspace/test', {}, options);
  }

  /** Lets time pass in a test workspace: an ISO 8601 duration like `P30D`. Each call passes it once more. */
  passTime(body: Body<'workspace_passTime'>, options?: CallOptions): Promise<Answer<'workspace_passTime'>> {
    return this.connection.once('/api/v1/public/workspace/time', { body }, options);
  }

  /** The attributes that customers of the newest sessions have, with their values: what a branch can go by. */
  attributes(options?: CallOptions): Promise<Answer<'workspace_attributes'>> {
    return this.connection.repeatable('get', '/api/v1/public/workspace/attributes', {}, options);
  }

  /** Statistics of all flows. */
  stats(query?: Query<'workspace_stats'>, options?: CallOptions): Promise<Answer<'workspace_stats'>> {
    return this.connection.repeatable('get', '/api/v1/public/stats', { query }, options);
  }

  /** The statistics as CSV, for a spreadsheet. */
  statsCsv(query?: Query<'workspace_statsCsv'>, options?: CallOptions): Promise<WebResponse> {
    return this.connection.file('/api/v1/public/stats.csv', { query }, options);
  }

  /** The report of the last whole month, or of some months. */
  report(query?: Query<'workspace_report'>, options?: CallOptions): Promise<Answer<'workspace_report'>> {
    return this.connection.repeatable('get', '/api/v1/public/report', { query }, options);
  }

  /** The report as CSV, for a spreadsheet. */
  reportCsv(query?: Query<'workspace_reportCsv'>, options?: CallOptions): Promise<WebResponse> {
    return this.connection.file('/api/v1/public/report.csv', { query }, options);
  }

  /** How many sessions of all flows began on each day, and how many of them were saved and canceled. */
  statsDaily(query?: Query<'workspace_statsDaily'>, options?: CallOptions): Promise<Answer<'workspace_statsDaily'>> {
    return this.connection.repeatable('get', '/api/v1/public/stats/daily', { query }, options);
  }
}

/** All workspaces of the service. They need the operator's key. */
export class Workspaces extends Resource {
  /** Workspaces, newest first. */
  list(query?: Query<'workspaces_list'>, options?: CallOptions): List<WorkspaceList, Workspace> {
    return new List(
      (from) =>
        this.connection.repeatable('get', '/api/v1/admin/workspaces', { query: { ...query, ...from } }, options),
      ({ workspaces }) => workspaces,
    );
  }

  /** Creates a workspace with a first API key, which is shown only this once. */
  create(body: Body<'workspaces_create'>, options?: CreateOptions): Promise<Answer<'workspaces_create'>> {
    return this.connection.creating('/api/v1/admin/workspaces', { body }, options);
  }

  /** Reads a workspace. */
  get(id: string, options?: CallOptions): Promise<Answer<'workspaces_get'>> {
    return this.connection.repeatable('get', '/api/v1/admin/workspaces/{id}', { path: { id } }, options);
  }

  /** Changes the fields that are given, such as its session limit. */
  update(
    id: string,
    changes: Body<'workspaces_update'>,
    options?: ChangeOptions,
  ): Promise<Answer<'workspaces_update'>> {
    return this.connection.repeatable('put', '/api/v1/admin/workspaces/{id}', { path: { id }, body: changes }, options);
  }

  /** Deletes a test workspace with everything in it. */
  delete(id: string, options?: CallOptions): Promise<Answer<'workspaces_delete'>> {
    return this.connection.repeatable('delete', '/api/v1/admin/workspaces/{id}', { path: { id } }, options);
  }

  /**
   * Invites a person, such as the first owner, by mail if the service sends mails. The link is shown only this once.
   */
  invite(id: string, body: Body<'workspaces_invite'>, options?: CreateOptions): Promise<Answer<'workspaces_invite'>> {
    return this.connection.creating('/api/v1/admin/workspaces/{id}/invitations', { path: { id }, body }, options);
  }

  /** Issues an API key of a workspace. It is shown only this once. */
  createApiKey(
    id: string,
    body: Body<'workspaces_createApiKey'>,
    options?: CreateOptions,
  ): Promise<Answer<'workspaces_createApiKey'>> {
    return this.connection.creating('/api/v1/admin/workspaces/{id}/api-keys', { path: { id }, body }, options);
  }
}
