import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { databasesForAll, ServiceProcess } from '../../support/service-process';
import { Acme } from './customers';
import { Program } from './program';

/** The requests of set-up.mjs: two offers, a flow, and its publication. */
const REQUESTS = 4;

describe('set-up.mjs', () => {
  const databases = databasesForAll();
  let address: string;
  let between: Between;

  beforeAll(async () => {
    address = await ServiceProcess.start({ DATABASE_URL: await databases.create() }).address();
    between = await Between.start(address);
  });
  afterAll(async () => {
    await Program.killAll();
    await between.stop();
  });

  const setUp = (acme: Acme) =>
    new Program('set-up.mjs', ['Leaving Acme'], { ...acme.env, RETENTION_FLOW_URL: between.url });

  const moments = Array.from({ length: REQUESTS }, (_, n) =>
    (['before', 'after'] as const).map((moment) => [moment, n + 1] as const),
  ).flat();

  it.each(moments)('creates nothing twice, killed %s the service carries out request %i', async (moment, n) => {
    const acme = await Acme.at(address);
    between.on = {};
    let requests = 0;
    const cutOff = setUp(acme);
    between.on[moment] = async () => {
      const isNow = ++requests === n;
      if (isNow) await cutOff.kill();
      return isNow;
    };
    expect(await cutOff.ended).toBe('SIGKILL');

    between.on = {};
    const again = setUp(acme);
    expect([await again.ended, again.output]).toEqual([
      0,
      expect.stringContaining('data-retention-flow="leaving-acme-'),
    ]);
    const [flow, ...others] = await acme.list('flows');
    expect(others).toEqual([]);
    expect(flow).toMatchObject({ name: 'Leaving Acme', status: 'published' });
    expect(again.output).toContain(`/demo?flow=${String(flow.slug)}`);
    const offers = (await acme.list('offers')).map(({ id }) => acme.client.get(`/api/v1/public/offers/${String(id)}`));
    expect((await Promise.all(offers)).map(({ body }) => body.terms)).toEqual([
      { months: 1 },
      { percent_off: 50, duration: 'repeating', months: 3 },
    ]);
  });

  it('says what it needs', async () => {
    const program = new Program('set-up.mjs', [], {});
    expect([await program.ended, program.output]).toEqual([1, expect.stringContaining('set-up.mjs <name>')]);
  });
});

/** Stands between a program and the service, and sees each request before and after the service carries it out. */
class Between {
  /** Each resolves with whether nobody waits for the response any more. */
  on: Partial<Record<'before' | 'after', () => Promise<boolean>>> = {};

  private constructor(private readonly server: Server) {}

  static async start(address: string): Promise<Between> {
    const server = createServer();
    const between = new Between(server);
    server.on('request', (request, response) => void between.pass(address, request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return between;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async pass(address: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { authorization = '', 'idempotency-key': key } = request.headers;
    const headers = {
      authorization,
      'content-type': 'application/json',
      ...(key && { 'idempotency-key': String(key) }),
    };
    if (await this.on.before?.()) return;
    const answer = await fetch(address + request.url, { method: request.method, headers, body });
    const text = await answer.text();
    if (await this.on.after?.()) return;
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type')! }).end(text);
  }
}
