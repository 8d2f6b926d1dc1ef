import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * What happens to a request: its connection breaks before it gets to the service, or the service's answer is lost,
 * hangs or breaks off; or the proxy answers in place of the service.
 */
export type Fault = 'unreached' | 'lost' | 'hanging' | 'broken off' | { status: number; retryAfter?: number };

/** A proxy in front of the service, at which requests fail as planned. */
export class UnreliableServer {
  /** What happens to the next requests, in order. Those after them get through. */
  faults: Fault[] = [];
  /** How many requests it got. */
  requests = 0;
  /** How many of them were carried out and hang. */
  hanging = 0;
  private readonly server: Server;

  private constructor(private readonly service: string) {
    this.server = createServer((incoming, response) => void this.handle(incoming, response));
  }

  static async start(service: string): Promise<UnreliableServer> {
    const proxy = new UnreliableServer(service);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests++;
    const fault = this.faults.shift();
    const sent = await buffer(incoming);
    if (fault === 'unreached') {
      incoming.socket.resetAndDestroy();
    } else if (typeof fault === 'object') {
      const { status, retryAfter } = fault;
      if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
      response.writeHead(status);
      response.end('<h1>The proxy is not well</h1>');
    } else {
      const { method, url, headers } = incoming;
      const forwarded = request(new URL(url!, this.service), { method, headers }).end(sent);
      const [answer] = (await once(forwarded, 'response')) as [IncomingMessage];
      const body = await buffer(answer);
      if (fault === 'lost') {
        incoming.socket.resetAndDestroy();
      } else if (fault === 'hanging') {
        this.hanging++;
      } else {
        response.writeHead(answer.statusCode!, answer.headers);
        if (fault === 'broken off') response.write(body.subarray(0, 5), () => response.destroy());
        else response.end(body);
      }
    }
  }
}
