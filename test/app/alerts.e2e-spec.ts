import { readFileSync } from 'node:fs';
import { serviceForAll } from '../support/service';

const ALERTS = readFileSync('deploy/prometheus/alerts.yml', 'utf8');

/** The routes that an alert sees, as Prometheus matches them. */
function seenBy(alert: string): RegExp {
  const [, rule] = ALERTS.split(`- alert: ${alert}\n`);
  const patterns = new Set(
    Array.from(rule.split('- alert: ')[0].matchAll(/route=~"([^"]+)"/g), ([, pattern]) => pattern),
  );
  expect(patterns.size).toBe(1);
  return new RegExp(`^(?:${[...patterns][0]})$`);
}

describe('The alerts', () => {
  const service = serviceForAll();
  const routesOf = (...surfaces: string[]) =>
    service.app
      .getHttpAdapter()
      .getInstance()
      .knownRoutes.filter(({ surface }) => surfaces.includes(surface))
      .map(({ url }) => url);

  it.each(['RetentionFlowErrors', 'RetentionFlowErrorsForHours'])(
    'see the errors of every route with work behind it: %s',
    (alert) => {
      const routes = routesOf('runtime', 'billing', 'sign_in', 'management', 'operator', 'exit', 'image');
      expect(routes.length).toBeGreaterThan(80);
      expect(routes.filter((url) => !seenBy(alert).test(url))).toEqual([]);
    },
  );

  it('see how slow each route is that customers wait for', () => {
    const routes = routesOf('runtime', 'exit', 'image');
    expect(routes.length).toBeGreaterThan(8);
    expect(routes.filter((url) => !seenBy('RetentionFlowSlow').test(url))).toEqual([]);
  });
});
