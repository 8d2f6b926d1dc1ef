import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** A server behind a proxy that misbehaves as a test wants. */
export class Upstream {
  readonly received: IncomingMessage[] = [];
  /** How often it was asked whether it is ready. */
  probes = 0;

  private constructor(private readonly server: Server) {}

  static async start(respond: Respond, { isReady = true } = {}): Promise<Upstream> {
    const server = createServer();
    const upstream = new Upstream(server);
    server.on('request', (request, response) => {
      if (request.url === '/readyz') {
        upstream.probes++;
        response.writeHead(isReady ? 200 : 503).end();
      } else {
        upstream.received.push(request);
        request.resume().on('end', () => respond(request, response));
      }
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return upstream;
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await once(this.server.close(), 'close');
  }
}
