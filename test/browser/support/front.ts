import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request of the widget. */
export interface Asked {
  method: string;
  path: string;
  /** What the body says the customer did; undefined for everything but a step. */
  action: string | undefined;
  /** The Idempotency-Key. */
  key: string | undefined;
}

/**
 * - `cut`: the connection breaks before the service hears of it
 * - `lost`: the service does what it was asked, and the connection breaks before its answer
 * - `silent`: no answer ever
 * - `half`: half an answer, and then nothing more
 */
export type Fault =
  | 'cut'
  | 'lost'
  | 'silent'
  | 'half'
  | { status: number; type?: string; body?: string; headers?: Record<string, string> };

const JSON_TYPE = 'application/json';

/** Stands between the page and the service, passes everything on, and fails when it is told to. */
export class Front {
  /** What was asked so far, without preflights. */
  readonly asked: Asked[] = [];
  /** Decides which requests fail, and how. */
  fault: (asked: Asked) => Fault | undefined = () => undefined;

  private constructor(
    private readonly server: Server,
    readonly url: string,
    private readonly prefix: string,
  ) {}

  /** @param prefix the path that the service is put under, such as `/flows` */
  static async start(service: string, prefix = ''): Promise<Front> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const front = new Front(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`, prefix);
    server.on('request', (incoming: IncomingMessage, response: ServerResponse) => {
      void front.handle(service, incoming, response);
    });
    return front;
  }

  /** The steps with an action that were asked for. */
  steps(action: string): Asked[] {
    return this.asked.filter((asked) => asked.action === action);
  }

  get starts(): Asked[] {
    return this.asked.filter(({ method, path }) => method === 'POST' && path.endsWith('/session/init'));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async handle(service: string, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await incoming.toArray());
    const method = incoming.method!;
    const path = incoming.url!.slice(this.prefix.length);
    const step =
      path.endsWith('/step') && body.length > 0 ? (JSON.parse(String(body)) as { action: string }) : undefined;
    const asked = {
      method,
      path,
      action: step?.action,
      key: incoming.headers['idempotency-key'] as string | undefined,
    };
    const isPreflight = method === 'OPTIONS';
    if (!isPreflight) this.asked.push(asked);
    const fault = isPreflight ? undefined : this.fault(asked);
    const cors = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Retry-After, Request-Id' };
    if (fault === 'silent') return;
    if (fault === 'cut') return void incoming.socket.destroy();
    if (fault === 'half') {
      response.writeHead(201, { 'content-type': JSON_TYPE, 'content-length': 1000, ...cors }).write('{"session_id":');
      return;
    }
    if (typeof fault === 'object') {
      response.writeHead(fault.status, { 'content-type': fault.type ?? JSON_TYPE, ...cors, ...fault.headers });
      return void response.end(fault.body ?? '{}');
    }
    const passed = request(service + path, { method, headers: incoming.headers, agent: false }, (answer) => {
      if (fault === 'lost') incoming.socket.destroy();
      else answer.pipe(response.writeHead(answer.statusCode!, answer.headers));
    });
    passed.on('error', () => incoming.socket.destroy());
    passed.end(body);
  }
}
