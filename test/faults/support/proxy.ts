import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const HEADER = 5;
const COMMAND_COMPLETE = 'C';
const READY_FOR_QUERY = 'Z';
const IDLE = 'I';

/** Stands between the service and Postgres, and knows when a transaction that wrote something has been committed. */
export class Proxy {
  /** Decides, for each commit that Postgres has answered, to cut the connection in place of passing the answer on. */
  cut: () => boolean = () => false;
  /** So much later does everything arrive that Postgres says. */
  delayMs = 0;
  cuts = 0;

  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private postgresPort: number,
  ) {}

  static async start(postgresPort: number): Promise<Proxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new Proxy(server, postgresPort);
    server.on('connection', (client) => proxy.join(client, connect(proxy.postgresPort, '127.0.0.1')));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Leads to another server from now on, and cuts what led to the one before. */
  turnTo(postgresPort: number): void {
    this.postgresPort = postgresPort;
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket, postgres: Socket): void {
    const end = () => {
      client.destroy();
      postgres.destroy();
    };
    for (const socket of [client, postgres]) {
      this.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', end);
      socket.on('close', () => {
        this.sockets.delete(socket);
        end();
      });
    }
    client.pipe(postgres);
    const answers = new Answers();
    let tail = Promise.resolve();
    postgres.on('data', (chunk) => {
      const { pass, commits } = answers.read(chunk);
      if (commits > 0 && this.cut()) {
        this.cuts++;
        end();
        return;
      }
      tail = tail.then(async () => {
        if (this.delayMs > 0) await pause(this.delayMs);
        if (!client.destroyed) client.write(pass);
      });
    });
  }
}

/** What Postgres says, message by message (PostgreSQL manual, 54.7). */
class Answers {
  private rest: Buffer = Buffer.alloc(0);
  /** From the end of a command on, until it is said whether the transaction has ended, too. */
  private held: Buffer[] = [];
  private wrote = false;

  /** What can be passed on, and how many commits of something written it tells of. */
  read(chunk: Buffer): { pass: Buffer; commits: number } {
    let bytes = Buffer.concat([this.rest, chunk]);
    const pass: Buffer[] = [];
    let commits = 0;
    while (bytes.length >= HEADER && bytes.length >= 1 + bytes.readInt32BE(1)) {
      const end = 1 + bytes.readInt32BE(1);
      const message = bytes.subarray(0, end);
      bytes = bytes.subarray(end);
      const kind = String.fromCharCode(message[0]);
      const text = message.subarray(HEADER).toString('latin1');
      if (kind === COMMAND_COMPLETE) this.wrote ||= /^(COMMIT|INSERT 0 [1-9])/.test(text);
      if (kind === COMMAND_COMPLETE || this.held.length > 0) this.held.push(message);
      else pass.push(message);
      if (kind !== READY_FOR_QUERY) continue;
      if (this.wrote && text === IDLE) commits++;
      this.wrote = false;
      pass.push(...this.held.splice(0));
    }
    this.rest = bytes;
    return { pass: Buffer.concat(pass), commits };
  }
}
