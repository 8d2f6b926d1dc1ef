import { readFileSync } from 'node:fs';
import type { KnownRoute } from '../../src/platform/http/surface';
import { serviceForAll } from '../support/service';

const DOCUMENT = 'docs/limits.md';
const HEADING = '## What a request costs';

/** A path as the table has it: without the beginning that all of an interface have; pages and files by their folder. */
function shown({ url, surface }: KnownRoute): string {
  const isFile = ['page', 'asset'].includes(surface) && url !== '/leave/leave.js';
  return isFile ? `/${url.split('/')[1]}` : url.replace('/api/v1/public', '').replace('/api/v1', '');
}

describe(`The table of costs in ${DOCUMENT}`, () => {
  const service = serviceForAll();

  it('has every route in one row, with its cost and what bounds it, and no other route', () => {
    const section = readFileSync(DOCUMENT, 'utf8').split(HEADING)[1].split('\n## ')[0];
    const rows = section.split('\n').filter((line) => line.startsWith('| `'));
    const named = rows.flatMap((row) =>
      Array.from(row.split('|')[1].matchAll(/`([A-Z]+ [^`?]+)/g), ([, route]) => route),
    );
    for (const row of rows) {
      const [cost, bound] = row
        .split('|')
        .slice(2, 4)
        .map((cell) => cell.trim());
      expect([row, /\d/.test(cost), bound.length > 0]).toEqual([row, true, true]);
    }
    const fastify = service.app.getHttpAdapter().getInstance();
    const routes = fastify.knownRoutes.flatMap((route) =>
      route.methods
        .filter((method) => !['HEAD', 'OPTIONS'].includes(method))
        .map((method) => `${method} ${shown(route)}`),
    );
    // A path under which nothing is has no work behind it.
    const known = new Set(routes.filter((route) => !route.includes('/runtime/*')));
    expect([...new Set(named)].toSorted()).toEqual([...known].toSorted());
  });
});
