import { setTimeout as pause } from 'node:timers/promises';
import type { Page, PageQuery } from '../common/pagination';
import { Problem } from '../common/problem';
import { problemOfPostgres } from '../database/postgres-errors';

/** The rows of a page. Each download holds one, and other requests wait while it is written. */
const ROWS = 100;
/** How long a later page is tried. Less than the 30 s after which a silent connection is closed. */
const PATIENCE_MS = 20_000;
const PAUSE_MS = 500;

/**
 * All items of a list, page by page. A page is read when the one before has been taken. Later pages are tried again while the
 * service is busy: a download that breaks off would begin anew, and cost more.
 */
export async function* readPages<T>(read: (page: PageQuery) => Promise<Page<T>>): AsyncGenerator<T[]> {
  let page = await read({ limit: ROWS });
  yield page.items;
  while (page.next_cursor !== null) {
    const query = { limit: ROWS, cursor: page.next_cursor };
    page = await patiently(() => read(query));
    yield page.items;
  }
}

async function patiently<T>(read: () => Promise<T>): Promise<T> {
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
