import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Databases } from '../support/databases';
import { ADMIN_API_KEY } from '../support/environment';
import { Receiver, TO_LOOPBACK } from '../support/receiver';
import { RedisServer } from '../support/redis';
import { ServiceProcess } from '../support/service-process';
import { TcpProxy } from '../support/tcp-proxy';
import { until } from '../support/until';
import { Prometheus, type Rule } from './support/prometheus';

interface Panel {
  id: number;
  title: string;
  type: string;
  gridPos: { h: number; w: number; x: number; y: number };
  targets?: { expr: string }[];
}

const DASHBOARD = readFileSync('deploy/grafana/dashboard.json', 'utf8');
const { panels } = JSON.parse(DASHBOARD) as { panels: Panel[] };
const ALERTS = readFileSync('deploy/prometheus/alerts.yml', 'utf8');
/** Expressions as Prometheus gets them, when Grafana has filled in its variables. */
const PANELS = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => [title, expr.replaceAll('$job', 'retention-flow').replaceAll('$__rate_interval', '1m')]),
);

describe('Prometheus, with the files of deploy/', () => {
  const databases = new Databases();
  let database: TcpProxy;
  let receiver: Receiver;
  let redis: RedisServer;
  let address: string;
  let prometheus: Prometheus;

  const send = async (method: string, path: string, key: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(`${address}/api/v1/${path}`, { method, headers, body: JSON.stringify(body) });
    return response.json();
  };
  const metrics = async () => (await fetch(`${address}/metrics`)).text();

  beforeAll(async () => {
    database = await TcpProxy.start(await databases.create());
    receiver = await Receiver.start();
    redis = await RedisServer.start();
    const service = ServiceProcess.start({ DATABASE_URL: database.url, REDIS_URL: redis.url, ...TO_LOOPBACK });
    address = await service.address();
    prometheus = await Prometheus.start(new URL(address).host);

    const { api_key } = await send('POST', 'admin/workspaces', ADMIN_API_KEY, { name: 'Acme' });
    await send('POST', 'public/webhooks', api_key.key, { url: receiver.url });
    const fields = { name: 'Leaving', product_name: 'Acme', cancellation_url: 'https://acme.example/cancel' };
    const { id, slug } = await send('POST', 'public/flows', api_key.key, fields);
    await send('PUT', `public/flows/${id}`, api_key.key, { status: 'published' });
    const { session_id } = await send('POST', 'runtime/session/init', '', { flow_slug: slug });
    await send('POST', `runtime/session/${session_id}/step`, '', { action: 'cancel' });
    await receiver.untilReceived(2);
  });
  afterAll(async () => {
    await prometheus?.stop();
    await ServiceProcess.killAll();
    database?.close();
    await receiver?.stop();
    await redis?.stop();
    await databases.dropAll();
  });

  const promtool = (args: string[], input?: string) => {
    const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
    return { status, output: stdout + stderr };
  };

  it('finds nothing to complain about in the metrics', async () => {
    expect(promtool(['check', 'metrics'], await metrics())).toEqual({ status: 0, output: '' });
  });

  it.each([
    ['check', 'config', 'deploy/prometheus/prometheus.yml'],
    ['check', 'rules', 'deploy/prometheus/alerts.yml'],
    ['test', 'rules', 'deploy/prometheus/alerts.test.yml'],
  ])('accepts: promtool %s %s %s', (...args) => {
    expect(promtool(args)).toMatchObject({ status: 0 });
  });

  it('has a test of each alert: when it fires, and when not', () => {
    const tests = readFileSync('deploy/prometheus/alerts.test.yml', 'utf8');
    const alerts = [...ALERTS.matchAll(/alert: (\w+)/g)].map(([, alert]) => alert);
    expect(alerts.length).toBeGreaterThan(5);
    for (const alert of alerts) {
      expect(tests).toContain(`- name: ${alert} fires`);
      expect(tests).toContain(`- name: ${alert} is silent`);
    }
  });

  it('evaluates all rules of alerts', async () => {
    const evaluated = (rules: Rule[]) => rules.length > 0 && rules.every(({ health }) => health !== 'unknown');
    let rules = await prometheus.rules();
    while (!evaluated(rules)) rules = await prometheus.rules();
    expect(rules.map(({ name, health, lastError }) => [name, health, lastError])).toEqual(
      rules.map(({ name }) => [name, 'ok', undefined]),
    );
    expect(rules.length).toBe(ALERTS.match(/alert:/g)!.length);
  });

  it('knows each metric that an alert or a panel names', async () => {
    const expressions = [...(await prometheus.rules()).map(({ query }) => query), ...PANELS.map(([, expr]) => expr)];
    const named = new Set(expressions.flatMap((one) => one.match(/\b(retention|nodejs|process)_\w+/g) ?? []));
    const samples = [...(await metrics()).matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : name,
    );
    expect(named.size).toBeGreaterThan(20);
    expect([...named].filter((name) => !samples.includes(name))).toEqual([]);
  });

  it('has an alert for a database that is gone', async () => {
    const alert = async () => (await prometheus.rules()).find(({ name }) => name === 'RetentionFlowDatabaseDown')!;
    // On a busy machine an earlier scrape may have found it too slow.
    await until(alert, ({ alerts }) => alerts.length === 0);
    database.close();
    await send('POST', 'runtime/session/init', '', { flow_slug: 'any' });
    while ((await alert()).alerts.length === 0);
    expect((await alert()).alerts).toMatchObject([
      { state: 'pending', labels: { severity: 'critical', job: 'retention-flow' } },
    ]);
    await database.open();
    while ((await alert()).alerts.length > 0);
  });

  it('shows or watches every metric of the service, in a panel or an alert', async () => {
    const names = [...(await metrics()).matchAll(/^# TYPE (retention_\w+) /gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !DASHBOARD.includes(name) && !ALERTS.includes(name))).toEqual([]);
  });

  // Behind the test of the alert: it leads to errors, which one of the panels shows.
  it.each(PANELS)('has data for the panel "%s": %s', async (_, expression) => {
    // A rate is there after two scrapes.
    let series = await prometheus.query(expression);
    while (series.length === 0) series = await prometheus.query(expression);
    expect(series[0].value[1]).toMatch(/^[\d.e+-]+$|^NaN$/);
  });
});

describe('The dashboard', () => {
  it('has each panel in a place and with an id of its own', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
      Array.from({ length: h * w }, (__, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
  });
});
