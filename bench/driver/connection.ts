import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import type { HttpRequest } from './load';

const END_OF_HEAD = '\r\n\r\n';
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const NOTHING = Buffer.alloc(0);
const STATUS_AT = 'HTTP/1.1 '.length;

/** The bytes of a request. */
export function encode({ method, path, headers, body = '' }: HttpRequest, host: string): Buffer {
  const all = { host, ...headers, ...(body && { 'content-length': String(Buffer.byteLength(body)) }) };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${body}`);
}

/**
 * A keep-alive connection with one request under way at a time. It reads as much of HTTP/1.1 as the servers of this
 * benchmark speak: a status and a body of a known length. Anything else is an error, never a wrong count.
 */
export class Connection {
  private waiting?: { resolve: (status: number) => void; reject: (error: Error) => void };
  private failure?: Error;
  private head: Buffer = NOTHING;
  private status = 0;
  /** Bytes of the body that are still to come. */
  private missing = 0;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.receive(chunk));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('the server closed the connection')));
  }

  static async open(host: string, port: number): Promise<Connection> {
    const socket = connect(port, host);
    await once(socket, 'connect');
    return new Connection(socket);
  }

  /** Sends a request and answers the status once the whole answer is there. */
  ask(request: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.failure) return reject(this.failure);
      this.waiting = { resolve, reject };
      this.socket.write(request);
    });
  }

  close(reason: string): void {
    this.fail(new Error(reason));
  }

  /** An answer comes in any number of pieces, cut anywhere. */
  private receive(chunk: Buffer): void {
    if (!this.waiting) return this.fail(new Error('an answer that nobody asked for'));
    if (this.missing > 0) {
      this.missing -= chunk.length;
    } else {
      this.head = this.head.length > 0 ? Buffer.concat([this.head, chunk]) : chunk;
      const end = this.head.indexOf(END_OF_HEAD);
      if (end < 0) return;
      const text = this.head.toString('latin1', 0, end);
      const length = CONTENT_LENGTH.exec(text)?.[1];
      if (length === undefined) return this.fail(new Error('an answer without content-length'));
      this.status = Number(text.slice(STATUS_AT, STATUS_AT + 3));
      this.missing = Number(length) - (this.head.length - end - END_OF_HEAD.length);
      this.head = NOTHING;
    }
    if (this.missing < 0) return this.fail(new Error('an answer longer than its content-length'));
    if (this.missing === 0) this.succeed();
  }

  private succeed(): void {
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.resolve(this.status);
  }

  private fail(error: Error): void {
    this.failure ??= error;
    this.waiting?.reject(this.failure);
    this.waiting = undefined;
    this.socket.destroy();
  }
}
