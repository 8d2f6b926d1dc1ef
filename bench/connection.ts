import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const END_OF_HEAD = '\r\n\r\n';
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const STATUS_AT = 'HTTP/1.1 '.length;
const TIMEOUT_MS = 15_000;

export interface Response {
  status: number;
  text(): string;
}

/**
 * A keep-alive connection with one request in flight. It reads just enough of HTTP/1.1 for these servers: a status and
 * a body with a Content-Length. Anything else, and a response that takes longer than 15 s, rejects the request.
 */
export class Connection {
  private waiting?: { resolve: (response: Response) => void; reject: (error: Error) => void };
  private failure?: Error;
  private head = '';
  private body: Buffer[] = [];
  /** Bytes of the body still to come; undefined until the head is complete. */
  private missing?: number;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.setTimeout(TIMEOUT_MS, () => this.fail(`no response in ${TIMEOUT_MS / 1000} s`));
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('error', ({ message }) => this.fail(message));
    socket.on('close', () => this.fail('the server closed the connection'));
  }

  static async open(host: string, port: number): Promise<Connection> {
    const socket = connect(port, host);
    await once(socket, 'connect');
    return new Connection(socket);
  }

  send(request: string): Promise<Response> {
    return new Promise((resolve, reject) => {
      if (this.failure) return reject(this.failure);
      this.waiting = { resolve, reject };
      this.socket.write(request);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  /** A response may arrive in any number of pieces, cut anywhere. */
  private receive(chunk: Buffer): void {
    if (!this.waiting) return this.fail('a response without a request');
    if (this.missing === undefined) {
      this.head += chunk.toString('latin1');
      const end = this.head.indexOf(END_OF_HEAD);
      if (end < 0) return;
      const bodyBytes = this.head.length - end - END_OF_HEAD.length;
      this.head = this.head.slice(0, end);
      const length = CONTENT_LENGTH.exec(this.head)?.[1];
      if (length === undefined) return this.fail('a response without Content-Length');
      this.missing = Number(length);
      chunk = chunk.subarray(chunk.length - bodyBytes);
    }
    this.body.push(chunk);
    this.missing -= chunk.length;
    if (this.missing < 0) return this.fail('a response longer than its Content-Length');
    if (this.missing === 0) this.succeed();
  }

  private succeed(): void {
    const { waiting, head, body } = this;
    this.waiting = undefined;
    this.head = '';
    this.body = [];
    this.missing = undefined;
    const status = Number(head.slice(STATUS_AT, STATUS_AT + 3));
    waiting!.resolve({ status, text: () => Buffer.concat(body).toString() });
  }

  private fail(message: string): void {
    this.failure ??= new Error(message);
    this.waiting?.reject(this.failure);
    this.waiting = undefined;
    this.socket.destroy();
  }
}
