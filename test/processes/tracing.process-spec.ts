import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createTenants } from '../faults/support/tenants';
import { Databases } from '../support/databases';
import { freePort } from '../support/free-port';
import { Receiver, TO_LOOPBACK } from '../support/receiver';
import { ServiceProcess } from '../support/service-process';
import { until } from '../support/until';

interface Span {
  name: string;
  kind: number;
  traceId: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}
interface Export {
  resourceSpans: { resource: { attributes: Span['attributes'] }; scopeSpans: { spans: Span[] }[] }[];
}

const SERVER = 2;
const TRACE = '0af7651916cd43dd8448eb211c80319c';

/** Takes what an OpenTelemetry Collector takes at /v1/traces. */
class Collector {
  readonly exports: Export[] = [];
  readonly texts: string[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => (text += part));
      request.on('end', () => {
        this.texts.push(text);
        if (request.url === '/v1/traces') this.exports.push(JSON.parse(text) as Export);
        response.setHeader('content-type', 'application/json').end('{}');
      });
    }).listen(0, '127.0.0.1');
  }

  async url(): Promise<string> {
    if (!this.server.listening) await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get spans(): Span[] {
    return this.exports.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    );
  }

  stop(): void {
    this.server.close().closeAllConnections();
  }
}

describe('OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  const databases = new Databases();
  let collector: Collector;
  let receiver: Receiver;

  beforeEach(async () => {
    collector = new Collector();
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    await ServiceProcess.killAll();
    collector.stop();
    await receiver.stop();
    await databases.dropAll();
  });

  it('gets spans of requests by their routes, with their statements, and nothing of who asked', async () => {
    const service = ServiceProcess.start({
      DATABASE_URL: await databases.create(),
      OTEL_EXPORTER_OTLP_ENDPOINT: await collector.url(),
      OTEL_BSP_SCHEDULE_DELAY: '100',
      ...TO_LOOPBACK,
    });
    const address = await service.address();
    const [{ slug }] = await createTenants(address, [1], receiver.url);
    const post = async (path: string, body: object) => {
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Somebody/1.0',
        traceparent: `00-${TRACE}-b7ad6b7169203331-01`,
      };
      const response = await fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await response.json()) as { session_id: string };
    };
    const customer = { id: 'cus_secret', email: 'jo@secret.example' };
    const { session_id } = await post('/api/v1/runtime/session/init', { flow_slug: slug, customer });
    await post(`/api/v1/runtime/session/${session_id}/step`, { action: 'cancel' });
    await receiver.untilReceived(1);
    const spans = await until(
      () => Promise.resolve(collector.spans),
      (all) => all.some(({ name }) => name === 'POST /api/v1/runtime/session/:id/step'),
    );
    const requests = spans.filter(({ kind, traceId }) => kind === SERVER && traceId === TRACE);
    expect(requests.map(({ name }) => name)).toEqual([
      'POST /api/v1/runtime/session/init',
      'POST /api/v1/runtime/session/:id/step',
    ]);
    const statements = spans.filter(
      ({ traceId, attributes }) => traceId === TRACE && attributes.some(({ key }) => key === 'db.query.text'),
    );
    expect(statements.length).toBeGreaterThan(2);
    const { resource } = collector.exports[0].resourceSpans[0];
    expect(resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'retention-flow' } });
    const all = collector.texts.join();
    for (const secret of [session_id, customer.id, customer.email, 'Somebody', slug]) expect(all).not.toContain(secret);
    service.signal('SIGINT');
    expect(await service.ended).toBe(0);
    expect(service.stderr).toBe('');
  });

  it('that nobody answers costs no request, and no end, and is told in the log', async () => {
    const service = ServiceProcess.start({
      DATABASE_URL: await databases.create(),
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      LOG_LEVEL: 'warn',
    });
    const address = await service.address();
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    await service.untilPrinted(/Spans can't be sent to OTEL_EXPORTER_OTLP_ENDPOINT.*ECONNREFUSED/);
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    service.signal('SIGINT');
    expect(await service.ended).toBe(0);
  });
});
