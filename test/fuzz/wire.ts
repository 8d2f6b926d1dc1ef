import { connect, type Socket } from 'node:net';
import type { Bytes } from './damage';

/** How a request tells where its body ends. All but the first two are broken, so nothing can follow on their connection. */
export const FRAMINGS = ['length', 'chunked', 'surplus', 'two lengths', 'length and chunks', 'no chunks'] as const;
export type Framing = (typeof FRAMINGS)[number];

export interface WireAnswer {
  status: number;
  headers: Headers;
  body: string;
}

const CRLF = '\r\n';
const DEADLINE_MS = 15_000;

/** A request as it is written to the wire. */
export interface WireRequest {
  method: string;
  path: Bytes;
  query: Bytes[];
  headers: [name: string, value: Bytes][];
  body?: Bytes;
  framing: Framing;
  /** How often it is sent, without waiting for an answer in between. */
  copies: number;
}

/** The bytes of a request and its copies. */
export function bytesOf(request: WireRequest): Bytes {
  return bytesOfOne(request).repeat(request.copies);
}

/** From its first line to its end. */
function bytesOfOne({ method, path, query, headers, body, framing }: WireRequest): Bytes {
  const target = query.length > 0 ? `${path}?${query.join('&')}` : path;
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map((header) => header.join(': ')), ''];
  return lines.join(CRLF) + (body === undefined ? CRLF : framed(body, framing));
}

/** Whether nothing can follow the request on its connection. */
function isLast({ body, framing }: WireRequest): boolean {
  return body !== undefined && framing !== 'length' && framing !== 'chunked';
}

function framed(body: Bytes, framing: Framing): Bytes {
  const length = `Content-Length: ${body.length}${CRLF}`;
  const chunked = `Transfer-Encoding: chunked${CRLF}`;
  const chunks = `${body && `${body.length.toString(16)}${CRLF}${body}${CRLF}`}0${CRLF}${CRLF}`;
  const forms: Record<Framing, Bytes> = {
    length: `${length}${CRLF}${body}`,
    chunked: `${chunked}${CRLF}${chunks}`,
    surplus: `${length}${CRLF}${body}${body || '{}'}`,
    'two lengths': `${length}Content-Length: ${body.length + 1}${CRLF}${CRLF}${body}`,
    'length and chunks': `${length}${chunked}${CRLF}${chunks}`,
    'no chunks': `${chunked}${CRLF}${body}zz${CRLF}`,
  };
  return forms[framing];
}

/** Writes bytes to a server, whatever they are, and reads what it answers; one connection for as long as it lasts. */
export class Wire {
  private socket?: Socket;

  constructor(private readonly url: URL) {}

  /**
   * The answer, or one for each copy; of a request that is the last on its connection, everything until it closes. Of many
   * copies there may be none, if they are too many.
   */
  exchange(request: WireRequest): Promise<WireAnswer[]> {
    const { copies } = request;
    const socket = (this.socket ??= this.open());
    return new Promise((resolve, reject) => {
      let text: Bytes = '';
      const settle = () => {
        clearTimeout(deadline);
        socket.off('data', read).off('close', settle);
        const answers = parse(text);
        if (answers.length < copies || answers.some(isFinal)) this.close();
        if (answers.length > 0 || copies > 1) resolve(answers);
        else reject(new Error(`no answer, only: ${JSON.stringify(text)}`));
      };
      const read = (data: Buffer) => {
        text += data.toString('latin1');
        const answers = parse(text);
        if (answers.some(isFinal) || (!isLast(request) && answers.length >= copies)) settle();
      };
      const deadline = setTimeout(settle, DEADLINE_MS);
      socket.on('data', read).on('close', settle);
      socket.write(bytesOf(request), 'latin1');
    });
  }

  private open(): Socket {
    const socket = connect(Number(this.url.port), this.url.hostname);
    // One who is hung up on while still sending gets an error, before or after the answer has come.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.socket === socket) this.socket = undefined;
    });
    return socket;
  }

  close(): void {
    this.socket?.destroy();
    this.socket = undefined;
  }
}

function isFinal({ headers }: WireAnswer): boolean {
  return headers.get('connection') === 'close';
}

/** The answers that are complete. */
function parse(text: Bytes): WireAnswer[] {
  const end = text.indexOf(CRLF + CRLF);
  if (end < 0) return [];
  const [statusLine, ...lines] = text.slice(0, end).split(CRLF);
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/, 2) as [string, string]));
  const bodyEnd = end + 4 + Number(headers.get('content-length') ?? 0);
  if (text.length < bodyEnd) return [];
  const body = Buffer.from(text.slice(end + 4, bodyEnd), 'latin1').toString();
  return [{ status: Number(statusLine.split(' ')[1]), headers, body }, ...parse(text.slice(bodyEnd))];
}
