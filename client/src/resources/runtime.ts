import type { CallOptions, CreateOptions } from '../connection.ts';
import type { Answer, Body, Query, Step } from '../types.ts';
import { Resource } from './resource.ts';

/** The steps after which the customer leaves the page. */
const LEAVING: Step['action'][] = ['cancel', 'confirm'];

/** What a customer's page calls. It needs no key. When it fails, send the customer to the error's `cancellationUrl`. */
export class Runtime extends Resource {
  /**
   * Starts a session on a flow, in 2.5 s at most, with one more attempt. It is counted once for its Idempotency-Key.
   */
  start(body: Body<'runtime_start'>, options?: CreateOptions): Promise<Answer<'runtime_start'>> {
    return this.connection.creating('/api/v1/runtime/session/init', { body }, { ...options, urgency: 'waits' });
  }

  /** Where a session stands. */
  get(sessionId: string, options?: CallOptions): Promise<Answer<'runtime_get'>> {
    return this.connection.repeatable('get', '/api/v1/runtime/session/{id}', { path: { id: sessionId } }, options);
  }

  /**
   * Takes a step. The same step again has the same answer, so it is tried again like a read. `cancel` and `confirm` take
   * 2.5 s at most, like a start, and what was sent arrives although the page is left.
   */
  step(sessionId: string, step: Step, options?: CallOptions): Promise<Answer<'runtime_step'>> {
    return this.connection.repeatable(
      'post',
      '/api/v1/runtime/session/{id}/step',
      { path: { id: sessionId }, body: step },
      { ...options, urgency: LEAVING.includes(step.action) ? 'leaves' : undefined },
    );
  }

  /**
   * Declares that a contract ends. The same again within 24 hours is the same declaration, so it is tried again like a
   * read.
   */
  declare(
    slug: string,
    body: Body<'runtime_declare'>,
    query?: Query<'runtime_declare'>,
    options?: CallOptions,
  ): Promise<Answer<'runtime_declare'>> {
    return this.connection.repeatable('post', '/api/v1/runtime/exit/{slug}', { path: { slug }, body, query }, options);
  }

  /** Begins a preview again, from its first node. */
  restart(previewId: string, options?: CallOptions): Promise<Answer<'runtime_restart'>> {
    return this.connection.repeatable(
      'post',
      '/api/v1/runtime/preview/{id}/restart',
      { path: { id: previewId } },
      options,
    );
  }
}
