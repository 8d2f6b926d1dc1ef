import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { Webhook } from 'standardwebhooks';

/** Opens webhooks to the tests' receivers. */
export const TO_LOOPBACK = { BACKGROUND_JOBS: 'true', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };

export interface Received {
  id: string;
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  // What an event holds is what the tests are about.
  // oxlint-disable-next-line no-explicit-any
  body: any;
}

/** How a receiver answers: with a status and more, not at all, by closing the connection, or without an end. */
export type Reply =
  number | { status: number; headers?: Record<string, string>; body?: string } | 'hang' | 'close' | 'endless';

/** An integrator's endpoint: an HTTP server on loopback that keeps what it receives. */
export class Receiver {
  readonly received: Received[] = [];
  private readonly waiting = new Set<() => void>();

  private constructor(
    private readonly server: Server,
    /** How the next requests are answered. */
    public reply: (request: Received) => Reply | Promise<Reply>,
  ) {}

  static async start(reply: Receiver['reply'] = () => 204): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server, reply);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const { headers, url = '' } = request;
        const body = JSON.parse(text) as unknown;
        void receiver.receive({ id: String(headers['webhook-id']), path: url, headers, text, body }, response);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** The types of what it received, in order. */
  get types(): string[] {
    return this.received.map(({ body }) => body.type as string);
  }

  /** Resolves when something holds of what was received. It is asked anew after each request. */
  async until(holds: (received: Received[]) => boolean): Promise<Received[]> {
    while (!holds(this.received)) await new Promise<void>((resolve) => this.waiting.add(resolve));
    return this.received;
  }

  /** Resolves with what was received once there is so much of it. */
  async untilReceived(count: number): Promise<Received[]> {
    return this.until(({ length }) => length >= count);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async receive(request: Received, response: ServerResponse): Promise<void> {
    this.received.push(request);
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
    const reply = await this.reply(request);
    if (reply === 'close') response.destroy();
    else if (reply === 'endless') pipeline(endlessly(), response.writeHead(200), () => {});
    else if (reply !== 'hang') {
      const { status, headers, body } = typeof reply === 'number' ? { status: reply, headers: {}, body: '' } : reply;
      response.writeHead(status, headers).end(body);
    }
  }
}

function* endlessly(): Generator<string> {
  for (;;) yield 'x'.repeat(64 * 1024);
}

/** Throws unless the request was signed with the secret, as a library of others sees it. */
export function verify(secret: string, { text, headers }: Received): unknown {
  return new Webhook(secret).verify(text, headers as Record<string, string>);
}
