import type { CallOptions, ChangeOptions } from '../connection.ts';
import type { Answer, Body, Query } from '../types.ts';
import { Resource } from './resource.ts';

/** The workspace as one document, to keep it in git and to take it from one service to another. */
export class Config extends Resource {
  /**
   * Reads the workspace as a document: its look, audiences, offers and live flows, by their keys. With
   * `{ environment: true }`, it has what is of one environment, too, such as webhooks, without their secrets.
   */
  get(query?: Query<'config_get'>, options?: CallOptions): Promise<Answer<'config_get'>> {
    return this.connection.repeatable('get', '/api/v1/public/config', { query }, options);
  }

  /** Makes the workspace as the document says, all or nothing. `{ dry_run: true }` only says what would change. */
  apply(
    document: Body<'config_apply'>,
    query?: Query<'config_apply'>,
    options?: ChangeOptions,
  ): Promise<Answer<'config_apply'>> {
    return this.connection.repeatable('put', '/api/v1/public/config', { body: document, query }, options);
  }
}
