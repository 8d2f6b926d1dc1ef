import { setTimeout as pause } from 'node:timers/promises';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Page, PageQuery } from '../../platform/api/paging/pagination';
import { Problem } from '../../platform/api/problems/problem';
import { Tally } from '../../platform/common/tally';
import { problemOfPostgres } from '../../platform/database/transaction/postgres-errors';

/** How many downloads may be under way at a time. */
const OF_WORKSPACE = 2;
const OF_ALL = 10;
const RETRY_SECONDS = 10;

/**
 * Lets a download begin while there is room for it. It has ended when its response is closed, however that came about.
 */
@Injectable()
export class DownloadSlots implements CanActivate {
  private readonly underWay = new Tally();

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const { workspaceId } = http.getRequest<FastifyRequest & { workspaceId: string }>();
    const { raw } = http.getResponse<FastifyReply>();
    if (this.underWay.of(workspaceId) >= OF_WORKSPACE) {
      const detail = `The workspace has ${OF_WORKSPACE} downloads under way. Begin this one when one of them has ended.`;
      throw new Problem('too_many_requests', {}, detail).after(RETRY_SECONDS);
    }
    // A response that is closed already would never give its place back.
    if (this.underWay.total >= OF_ALL || raw.destroyed) {
      const detail = `${OF_ALL} downloads are under way. Try again in a moment.`;
      throw new Problem('service_unavailable', {}, detail).after(RETRY_SECONDS);
    }
    this.underWay.add(workspaceId, 1);
    raw.on('close', () => this.underWay.add(workspaceId, -1));
    return true;
  }
}

/**
 * How large a page should be. Each download holds one, and while it is written, nothing else is done: Node accepts one
 * new connection in each turn of its event loop, so turns have to be short.
 */
const PAGE_BYTES = 64 * 1024;
const FIRST_ROWS = 10;
const MAX_ROWS = 100;
/** How long a later page is tried. Less than the 30 s after which a silent connection is closed. */
const PATIENCE_MS = 20_000;
const PAUSE_MS = 500;

/**
 * All items of a list, page by page. A page is read when the one before has been taken. Later pages are tried again
 * while the service is busy: a download that breaks off would begin anew, and cost more.
 */
export async function* readPages<T>(read: (page: PageQuery) => Promise<Page<T>>): AsyncGenerator<T[]> {
  let page = await read({ limit: FIRST_ROWS });
  yield page.items;
  while (page.next_cursor !== null) {
    const { items, bytes, next_cursor: cursor } = page;
    const limit = Math.min(MAX_ROWS, Math.ceil((PAGE_BYTES * Math.max(1, items.length)) / bytes));
    page = await patiently(() => read({ limit, cursor }));
    yield page.items;
  }
}

/** Tries it again while the service is busy, for 20 s. */
export async function patiently<T>(read: () => Promise<T>): Promise<T> {
  const latest = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!isTemporary(error) || performance.now() > latest) throw error;
      // Without a hold on the process, which may be stopping.
      await pause(PAUSE_MS, undefined, { ref: false });
    }
  }
}

function isTemporary(error: unknown): boolean {
  const problem = problemOfPostgres(error) ?? error;
  return problem instanceof Problem && problem.code === 'service_unavailable';
}
