import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Takes what the server sent on a connection and returns what to pass on, or undefined to cut the connection. */
export type Filter = (chunk: Buffer) => Buffer | undefined;

/** A TCP proxy in front of Postgres, with which a test breaks the connections to it. */
export class TcpProxy {
  /** By how much everything that the server sends is delayed. */
  delayMs = 0;

  private readonly sockets = new Set<Socket>();
  private server: Server;
  private port = 0;

  private constructor(
    private target: URL,
    private readonly newFilter: () => Filter,
  ) {}

  /**
   * @param url the connection string of the database behind the proxy
   * @param newFilter makes the filter of a new connection
   */
  static async start(url: string, newFilter: () => Filter = () => (chunk) => chunk): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(url), newFilter);
    await proxy.open();
    return proxy;
  }

  /** The connection string of the database through the proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${this.port}`;
    return url.href;
  }

  /** Accepts connections, always on the same port. */
  async open(): Promise<void> {
    this.server = createServer((client) => {
      this.join(client, connect(Number(this.target.port), this.target.hostname));
    }).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Ends all connections and refuses new ones. */
  close(): void {
    this.server.close();
    this.endAll();
  }

  /** Keeps the connections open, and passes nothing on. */
  freeze(): void {
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  /** Ends all connections and leads new ones to another server. */
  redirect(url: string): void {
    this.target = new URL(url);
    this.endAll();
  }

  private endAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private join(client: Socket, server: Socket): void {
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', end);
      socket.on('close', () => {
        this.sockets.delete(socket);
        end();
      });
    }
    client.pipe(server);
    const filter = this.newFilter();
    let written = Promise.resolve();
    server.on('data', (chunk) => {
      const passed = filter(chunk);
      if (!passed) {
        end();
        return;
      }
      written = written.then(async () => {
        if (this.delayMs > 0) await pause(this.delayMs, undefined, { ref: false });
        if (!client.destroyed) client.write(passed);
      });
    });
  }
}
