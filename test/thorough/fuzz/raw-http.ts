import { connect } from 'node:net';

/** Bytes, one per character (latin1). */
export type Bytes = string;

/** How a request marks the end of its body. All but the first two are invalid and end the connection. */
export const FRAMINGS = ['length', 'chunked', 'surplus', 'two lengths', 'length and chunks', 'no chunks'] as const;
export type Framing = (typeof FRAMINGS)[number];

/** A request that need not be valid HTTP. */
export interface RawRequest {
  method: string;
  path: Bytes;
  query: Bytes[];
  headers: [name: string, value: Bytes][];
  body?: Bytes;
  framing: Framing;
  /** How many times it is sent in a row without waiting for a response (pipelining). */
  copies: number;
}

export interface RawResponse {
  status: number;
  headers: Headers;
  body: string;
}

const CRLF = '\r\n';
const DEADLINE_MS = 15_000;

/** The target of a request (RFC 9112, 3.2). */
export const targetOf = ({ path, query }: Pick<RawRequest, 'path' | 'query'>): Bytes =>
  query.length > 0 ? `${path}?${query.join('&')}` : path;

/** The bytes of a request and its copies. */
export function bytesOf({ method, path, query, headers, body, framing, copies }: RawRequest): Bytes {
  const lines = [`${method} ${targetOf({ path, query })} HTTP/1.1`, ...headers.map((header) => header.join(': ')), ''];
  return (lines.join(CRLF) + (body === undefined ? CRLF : framed(body, framing))).repeat(copies);
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

/** Sends a request on a new connection. Returns a response per copy, or fewer if the server closes the connection. */
export function send({ port, hostname }: URL, request: RawRequest): Promise<RawResponse[]> {
  const { body, framing, copies } = request;
  const endsConnection = body !== undefined && framing !== 'length' && framing !== 'chunked';
  return new Promise((resolve, reject) => {
    let text: Bytes = '';
    const socket = connect(Number(port), hostname);
    const deadline = setTimeout(() => socket.destroy(), DEADLINE_MS);
    socket.on('data', (data) => {
      text += data.toString('latin1');
      if (!endsConnection && parse(text).length >= copies) socket.destroy();
    });
    // A client that is still sending when the server closes gets an error, before or after the response.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(deadline);
      const responses = parse(text);
      // More copies than may wait can lose all their responses. So can a body that nobody reads: closing the connection
      // resets it, which may overtake the end of a long response.
      const isCutOff = body !== undefined && /^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is.test(text);
      if (responses.length > 0 || copies > 1 || isCutOff) resolve(responses);
      else reject(new Error(`no response, only: ${JSON.stringify(text)}`));
    });
    socket.write(bytesOf(request), 'latin1');
  });
}

/** The complete responses in what was received. */
function parse(text: Bytes): RawResponse[] {
  const end = text.indexOf(CRLF + CRLF);
  if (end < 0) return [];
  const [statusLine, ...lines] = text.slice(0, end).split(CRLF);
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/, 2) as [string, string]));
  const read = headers.get('transfer-encoding') === 'chunked' ? readChunks : readLength;
  const body = read(text.slice(end + CRLF.length * 2), headers);
  if (!body) return [];
  const response = {
    status: Number(statusLine.split(' ')[1]),
    headers,
    body: Buffer.from(body.bytes, 'latin1').toString(),
  };
  return [response, ...parse(body.rest)];
}

/** A body, and what was received behind it. */
interface ReceivedBody {
  bytes: Bytes;
  rest: Bytes;
}

/** undefined: it is not complete yet. */
function readLength(text: Bytes, headers: Headers): ReceivedBody | undefined {
  const length = Number(headers.get('content-length') ?? 0);
  return text.length < length ? undefined : { bytes: text.slice(0, length), rest: text.slice(length) };
}

/** undefined: it is not complete yet. */
function readChunks(text: Bytes): ReceivedBody | undefined {
  let bytes = '';
  for (let at = 0; ;) {
    const begin = text.indexOf(CRLF, at) + CRLF.length;
    const length = Number.parseInt(text.slice(at, begin), 16);
    const end = begin + length + CRLF.length;
    if (begin < CRLF.length || text.length < end) return undefined;
    if (length === 0) return { bytes, rest: text.slice(end) };
    bytes += text.slice(begin, begin + length);
    at = end;
  }
}
