import { answer, type CallOptions, type CreateOptions } from '../connection.ts';
import { List } from '../list.ts';
import type { Answer, Body, Query, Workspace, WorkspaceList } from '../types.ts';
import { Resource } from './resource.ts';

/** The workspace that the API key belongs to. */
export class OwnWorkspace extends Resource {
  /** Reads the workspace and how many sessions it has used this month. */
  get(options?: CallOptions): Promise<Answer<'workspace_get'>> {
    return answer(this.api.GET('/api/v1/public/workspace', { ...this.connection.repeatable(options) }));
  }

  /** Changes the fields that are given. */
  update(changes: Body<'workspace_update'>, options?: CallOptions): Promise<Answer<'workspace_update'>> {
    return answer(this.api.PUT('/api/v1/public/workspace', { body: changes, ...this.connection.repeatable(options) }));
  }

  /** Statistics of all flows. */
  stats(query?: Query<'workspace_stats'>, options?: CallOptions): Promise<Answer<'workspace_stats'>> {
    return answer(this.api.GET('/api/v1/public/stats', { params: { query }, ...this.connection.repeatable(options) }));
  }
}

/** All workspaces of the service. They need the operator's key. */
export class Workspaces extends Resource {
  /** Workspaces, newest first. */
  list(query?: Query<'workspaces_list'>, options?: CallOptions): List<WorkspaceList, Workspace> {
    return new List(
      (from) =>
        answer(
          this.api.GET('/api/v1/admin/workspaces', {
            params: { query: { ...query, ...from } },
            ...this.connection.repeatable(options),
          }),
        ),
      ({ workspaces }) => workspaces,
    );
  }

  /** Creates a workspace with a first API key, which is shown only this once. */
  create(body: Body<'workspaces_create'>, options?: CreateOptions): Promise<Answer<'workspaces_create'>> {
    return answer(this.api.POST('/api/v1/admin/workspaces', { body, ...this.connection.creating(options) }));
  }

  /** Reads a workspace. */
  get(id: string, options?: CallOptions): Promise<Answer<'workspaces_get'>> {
    return answer(
      this.api.GET('/api/v1/admin/workspaces/{id}', {
        params: { path: { id } },
        ...this.connection.repeatable(options),
      }),
    );
  }

  /** Changes the fields that are given, such as its session limit. */
  update(id: string, changes: Body<'workspaces_update'>, options?: CallOptions): Promise<Answer<'workspaces_update'>> {
    return answer(
      this.api.PUT('/api/v1/admin/workspaces/{id}', {
        params: { path: { id } },
        body: changes,
        ...this.connection.repeatable(options),
      }),
    );
  }

  /** Issues an API key of a workspace. It is shown only this once. */
  createApiKey(
    id: string,
    body: Body<'workspaces_createApiKey'>,
    options?: CreateOptions,
  ): Promise<Answer<'workspaces_createApiKey'>> {
    return answer(
      this.api.POST('/api/v1/admin/workspaces/{id}/api-keys', {
        params: { path: { id } },
        body,
        ...this.connection.creating(options),
      }),
    );
  }
}
