import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './free-port';

/** A way to a database that a test can shut, hold up and open again. It begins shut. */
export class Door {
  private readonly sockets = new Set<Socket>();
  private server?: Server;

  private constructor(
    private readonly to: URL,
    private readonly port: number,
  ) {}

  /** @param url the connection string of the database behind it */
  static async to(url: string): Promise<Door> {
    return new Door(new URL(url), await freePort());
  }

  /** The connection string that leads through it. */
  get url(): string {
    const url = new URL(this.to);
    url.host = `127.0.0.1:${this.port}`;
    return url.href;
  }

  async open(): Promise<void> {
    this.server = createServer((socket) => {
      const onward = connect(Number(this.to.port), this.to.hostname);
      for (const end of [socket, onward]) {
        this.sockets.add(end);
        end.on('error', () => {});
        end.on('close', () => {
          this.sockets.delete(end);
          socket.destroy();
          onward.destroy();
        });
      }
      socket.pipe(onward).pipe(socket);
    }).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  /** Nothing comes through any more, and nobody is told. */
  holdUp(): void {
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  /** Ends all connections; new ones are refused. */
  shut(): void {
    this.server?.close();
    for (const socket of this.sockets) socket.destroy();
  }
}
