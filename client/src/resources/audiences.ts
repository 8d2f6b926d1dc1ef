import type { CallOptions, ChangeOptions, CreateOptions } from '../connection.ts';
import { List } from '../list.ts';
import type { Answer, Audience, AudienceList, Body, Query } from '../types.ts';
import { Resource } from './resource.ts';

/** Conditions with a name, which branches of several flows go by. */
export class Audiences extends Resource {
  /** Audiences, newest first. */
  list(query?: Query<'audiences_list'>, options?: CallOptions): List<AudienceList, Audience> {
    return new List(
      (from) =>
        this.connection.repeatable('get', '/api/v1/public/audiences', { query: { ...query, ...from } }, options),
      ({ audiences }) => audiences,
    );
  }

  /** Creates an audience. */
  create(body: Body<'audiences_create'>, options?: CreateOptions): Promise<Answer<'audiences_create'>> {
    return this.connection.creating('/api/v1/public/audiences', { body }, options);
  }

  /** Reads an audience. */
  get(id: string, options?: CallOptions): Promise<Answer<'audiences_get'>> {
    return this.connection.repeatable('get', '/api/v1/public/audiences/{id}', { path: { id } }, options);
  }

  /** Changes the fields that are given. Flows take the conditions when they are published again. */
  update(id: string, changes: Body<'audiences_update'>, options?: ChangeOptions): Promise<Answer<'audiences_update'>> {
    return this.connection.repeatable('put', '/api/v1/public/audiences/{id}', { path: { id }, body: changes }, options);
  }

  /** Deletes an audience that no flow names. */
  delete(id: string, options?: ChangeOptions): Promise<Answer<'audiences_delete'>> {
    return this.connection.repeatable('delete', '/api/v1/public/audiences/{id}', { path: { id } }, options);
  }
}
