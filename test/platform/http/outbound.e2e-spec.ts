import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Outbound, OutboundError, type OutboundOptions } from '../../../src/platform/http/outbound';
import { CERTIFICATE } from '../../support/certificate';
import { freePort } from '../../support/free-port';

const LOOPBACK = ['127.0.0.0/8'];
const servers: Server[] = [];
const accepted: Socket[] = [];
const outbounds: Outbound[] = [];

afterEach(async () => {
  for (const outbound of outbounds.splice(0)) outbound.close();
  for (const socket of accepted.splice(0)) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

function outboundTo(networks: string[], options: Partial<OutboundOptions> = {}): Outbound {
  const outbound = new Outbound(networks, options);
  outbounds.push(outbound);
  return outbound;
}

/** Starts a server on all addresses of this machine, and returns its port and its connections. */
async function listening(server: Server): Promise<{ port: number; sockets: Socket[] }> {
  servers.push(server);
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    // It may be reset.
    socket.on('error', () => {});
    sockets.push(socket);
    accepted.push(socket);
  });
  await once(server.listen(0), 'listening');
  return { port: (server.address() as AddressInfo).port, sockets };
}

/** An HTTP server. Without a listener, it answers 200 with `ok`. */
async function receiver(listener: http.RequestListener = (_, response) => response.end('ok')) {
  const { port, sockets } = await listening(http.createServer(listener));
  return { url: `http://127.0.0.1:${port}/hook`, port, sockets };
}

/** How many connections the receiver got. A request of our own comes last, so that none is still on its way. */
async function connectionsTo({ url, sockets }: { url: string; sockets: Socket[] }): Promise<number> {
  const before = sockets.length;
  await outboundTo(LOOPBACK).post(url, {}, '{}');
  expect(sockets.length).toBeGreaterThan(before);
  return sockets.length - 1;
}

/** A TCP server that does as told with each connection. */
async function rawReceiver(onConnection: (socket: Socket) => void): Promise<string> {
  const { port } = await listening(createServer(onConnection));
  return `http://127.0.0.1:${port}/hook`;
}

/** A resolver that knows every name, and answers with the next of the answers each time. */
function resolver(...answers: string[][]) {
  const asked: string[] = [];
  const resolve: OutboundOptions['resolve'] = (hostname, _, callback) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)];
    asked.push(hostname);
    setImmediate(() =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
    );
  };
  return { asked, resolve };
}

async function failureOf(answer: Promise<unknown>): Promise<string> {
  const error: unknown = await answer.then(
    () => new Error('answered'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OutboundError);
  return (error as OutboundError).message;
}

describe('A request to a private address', () => {
  const PRIVATE = /^The host (is [0-9a-f.:]+,|resolves to) a private address: see WEBHOOK_ALLOWED_NETWORKS$/;
  const PUBLIC = '93.184.215.14';
  const forms = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0177.0.0.1',
    '0x7f000001',
    '0.0.0.0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::]',
    'localhost',
    '169.254.169.254',
    '[fd00::1]',
    '[fe80::1]',
    '[64:ff9b::7f00:1]',
  ];

  it.each(forms.flatMap((host) => [`http://${host}`, `https://${host}`]))('makes no connection: %s', async (origin) => {
    const canary = await receiver();
    expect(await failureOf(outboundTo([]).post(`${origin}:${canary.port}/`, {}, '{}'))).toMatch(PRIVATE);
    expect(await connectionsTo(canary)).toBe(0);
  });

  it.each([['127.0.0.1'], ['::1'], ['::ffff:127.0.0.1'], ['0.0.0.0', '10.0.0.5']])(
    'makes no connection when a public name resolves to it: %s',
    async (...addresses) => {
      const canary = await receiver();
      const { resolve } = resolver(addresses);
      for (const scheme of ['http', 'https']) {
        const answer = outboundTo([], { resolve }).post(`${scheme}://acme.example:${canary.port}/`, {}, '{}');
        expect(await failureOf(answer)).toBe('The host resolves to a private address: see WEBHOOK_ALLOWED_NETWORKS');
      }
      expect(await connectionsTo(canary)).toBe(0);
    },
  );

  it.each(['127.0.0.1', '127.1', '2130706433', '0177.0.0.1', '0x7f000001', 'acme.example'])(
    'arrives when its network is allowed: http://%s',
    async (host) => {
      const { port, sockets } = await receiver();
      const { resolve } = resolver(['127.0.0.1']);
      expect(await outboundTo(LOOPBACK, { resolve }).post(`http://${host}:${port}/`, {}, '{}')).toEqual({
        status: 200,
        excerpt: 'ok',
      });
      expect(sockets).toHaveLength(1);
    },
  );

  it('arrives at those addresses of a name that are allowed, and at no other', async () => {
    const { port, sockets } = await receiver();
    const { resolve } = resolver(['10.0.0.5', '127.0.0.2', '127.0.0.1']);
    await outboundTo(['127.0.0.1'], { resolve }).post(`http://acme.example:${port}/`, {}, '{}');
    expect(sockets.map(({ localAddress }) => localAddress)).toEqual([expect.stringMatching(/127\.0\.0\.1$/)]);
  });

  it('makes no connection when the name resolved to an allowed address before', async () => {
    const canary = await receiver((_, response) => response.setHeader('connection', 'close').end());
    const { asked, resolve } = resolver(['127.0.0.1'], ['127.0.0.2']);
    const outbound = outboundTo(['127.0.0.1'], { resolve });
    await outbound.post(`http://acme.example:${canary.port}/`, {}, '{}');
    // The address that was checked is the one connected to: nothing asks for it a second time.
    expect(asked).toEqual(['acme.example']);
    expect(await failureOf(outbound.post(`http://acme.example:${canary.port}/`, {}, '{}'))).toMatch(PRIVATE);
    expect(await connectionsTo(canary)).toBe(1);
  });

  it('is not made for a redirect, which is returned as it is', async () => {
    const canary = await receiver();
    const { url, sockets } = await receiver((_, response) =>
      response.writeHead(307, { location: canary.url }).end('elsewhere'),
    );
    expect(await outboundTo(LOOPBACK).post(url, {}, '{}')).toEqual({ status: 307, excerpt: 'elsewhere' });
    expect([sockets.length, await connectionsTo(canary)]).toEqual([1, 0]);
  });

  it('is the only one that may do without https', async () => {
    const { resolve } = resolver([PUBLIC]);
    const outbound = outboundTo(LOOPBACK, { resolve });
    expect(await failureOf(outbound.post(`http://${PUBLIC}/`, {}, '{}'))).toBe(
      `The host is ${PUBLIC}, a public address, which has to be called with https`,
    );
    expect(await failureOf(outbound.post('http://acme.example/', {}, '{}'))).toBe(
      'The host resolves to a public address, which has to be called with https',
    );
  });
});

describe('A request to a receiver', () => {
  it('is a POST with the headers and the body', async () => {
    const received: unknown[] = [];
    const { url } = await receiver((request, response) => {
      request.setEncoding('utf8').on('data', (body) => {
        const { method, url: path, headers } = request;
        received.push([method, path, headers['webhook-id'], headers['content-length'], body]);
        response.writeHead(204).end();
      });
    });
    const answer = await outboundTo(LOOPBACK).post(`${url}?a=ä#b`, { 'webhook-id': '1' }, '{"name":"Zoë 😀"}');
    expect(answer).toEqual({ status: 204, excerpt: '' });
    expect(received).toEqual([['POST', '/hook?a=%C3%A4', '1', '20', '{"name":"Zoë 😀"}']]);
  });

  it.each([
    ['120', 120],
    ['0', 0],
    ['999999999', 86_400],
    ['9999999999999999999999', 86_400],
    ['Fri, 01 Jan 2027 00:01:40 GMT', 100],
    ['Mon, 01 Feb 2027 00:00:00 GMT', 86_400],
    ['Thu, 31 Dec 2026 23:59:59 GMT', undefined],
    ['Fri, 99 Foo 2027 00:00:00 GMT', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
  ])('learns from Retry-After %s to wait %s seconds', async (retryAfter, seconds) => {
    const { url } = await receiver((_, response) =>
      response.writeHead(503, { 'retry-after': retryAfter, date: 'Fri, 01 Jan 2027 00:00:00 GMT' }).end(),
    );
    expect((await outboundTo(LOOPBACK).post(url, {}, '')).retryAfter).toBe(seconds);
  });

  it('ignores a date in Retry-After when the response says no time', async () => {
    const { url } = await receiver((_, response) => {
      response.sendDate = false;
      response.writeHead(503, { 'retry-after': 'Fri, 01 Jan 2027 00:01:40 GMT' }).end();
    });
    expect((await outboundTo(LOOPBACK).post(url, {}, '')).retryAfter).toBeUndefined();
  });

  it('returns up to 500 characters of the response as text that can be stored', async () => {
    const { url } = await receiver((_, response) => response.end(Buffer.from(`\0\xff${'😀'.repeat(1000)}`)));
    const { excerpt } = await outboundTo(LOOPBACK).post(url, {}, '');
    expect(excerpt).toBe(`\ufffdÿ${'😀'.repeat(498)}`);
    const binary = await receiver((_, response) => response.end(Buffer.from([0, 0xff, 0xed, 0xa0, 0x80, 0x61])));
    const answer = await outboundTo(LOOPBACK).post(binary.url, {}, '');
    expect([answer.excerpt.isWellFormed(), /^\ufffd+a$/.test(answer.excerpt)]).toEqual([true, true]);
  });

  it('reads 4 kB and takes the response for complete, however much more comes', async () => {
    let written = 0;
    const { url, sockets } = await receiver((_, response) => {
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(1000))) written += 1000;
      };
      response.on('drain', write);
      write();
    });
    const answer = await outboundTo(LOOPBACK).post(url, {}, '');
    expect(answer).toEqual({ status: 200, excerpt: 'x'.repeat(500) });
    await new Promise((resolve) => (sockets[0].destroyed ? resolve(0) : sockets[0].on('close', resolve)));
    expect(written).toBeLessThan(10_000_000);
  });

  it.each([
    [4096, 'answered', {}],
    [4095, 'No complete response within 1 s', { totalMs: 1000 }],
  ])('of whose response %i bytes come and no more: %s', async (bytes, outcome, limits) => {
    const { url } = await receiver((_, response) => response.write('x'.repeat(bytes)));
    const answer = outboundTo(LOOPBACK, limits).post(url, {}, '');
    expect(await answer.then(() => 'answered', failureOf.bind(null, answer))).toBe(outcome);
  });
});

describe('A request fails', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['without an answer', () => {}],
    ['with headers that come slowly', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n')],
    [
      'with a body that comes slowly',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
        drip(socket, 'x'.repeat(1000));
      },
    ],
  ])('%s', async (_, respond) => {
    const url = await rawReceiver((socket) => socket.once('data', () => respond(socket)));
    expect(await failureOf(outboundTo(LOOPBACK, { totalMs: 200 }).post(url, {}, '{}'))).toBe(
      'No complete response within 0.2 s',
    );
  });

  it.each<[string, string, (socket: Socket) => void]>([
    [
      'when the connection is closed half-way through the body',
      'Connection closed before the end of the response',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf'),
    ],
    [
      'when the connection is reset half-way through the headers',
      'Connection closed before the end of the response',
      (socket) => socket.write('HTTP/1.1 200 OK\r\n', () => socket.resetAndDestroy()),
    ],
    [
      'when the connection is closed at once',
      'Connection closed before the end of the response',
      (socket) => socket.end(),
    ],
    [
      'when the response is not HTTP',
      'The response is not valid HTTP',
      (socket) => socket.end('220 mail.example ESMTP\r\n'),
    ],
    [
      'when the status is none',
      'The response is not valid HTTP',
      (socket) => socket.end('HTTP/1.1 000 None\r\ncontent-length: 0\r\n\r\n'),
    ],
    [
      'when there is no end of informational responses',
      'The receiver sent too many informational responses (1xx)',
      (socket) => socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(3000)),
    ],
    [
      'when the headers are large',
      'The headers of the response are too large',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`),
    ],
    [
      'when the receiver changes the protocol',
      'Connection closed without a response',
      (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    ],
  ])('%s: “%s”', async (_, message, respond) => {
    const url = await rawReceiver((socket) => socket.once('data', () => respond(socket)));
    expect(await failureOf(outboundTo(LOOPBACK).post(url, {}, '{}'))).toBe(message);
  });

  it('when nothing listens', async () => {
    const answer = outboundTo(LOOPBACK).post(`http://127.0.0.1:${await freePort()}/`, {}, '{}');
    expect(await failureOf(answer)).toBe('Connection refused');
  });

  it('when the name is not resolved, or not in time', async () => {
    const failing = (code: string) =>
      outboundTo([], { resolve: (_, __, callback) => callback(Object.assign(new Error(code), { code }), []) });
    const post = (outbound: Outbound) => failureOf(outbound.post('https://acme.example/', {}, '{}'));
    expect(await post(failing('ENOTFOUND'))).toBe('The host name does not resolve');
    expect(await post(failing('EAI_AGAIN'))).toBe('The host name could not be resolved');
    expect(await post(outboundTo([], { resolve: (_, __, callback) => callback(null, []) }))).toBe(
      'The host name does not resolve',
    );
    expect(await post(outboundTo([], { connectMs: 100, resolve: () => {} }))).toBe('No connection within 0.1 s');
  });

  it('when the service stops', async () => {
    const { url } = await receiver(() => outbound.close());
    const outbound = outboundTo(LOOPBACK);
    expect(await failureOf(outbound.post(url, {}, '{}'))).toBe('The service was stopped');
  });
});

describe('A connection', () => {
  it('is used again', async () => {
    const { url, sockets } = await receiver();
    const outbound = outboundTo(LOOPBACK);
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 5 }, () => outbound.post(url, {}, '{}')));
    }
    expect(sockets).toHaveLength(5);
  });

  it('outlasts a response that takes longer than connecting may take', async () => {
    const { url } = await receiver((_, response) => setTimeout(() => response.end('late'), 1200));
    const outbound = outboundTo(LOOPBACK, { connectMs: 1000 });
    expect((await outbound.post(url, {}, '{}')).excerpt).toBe('late');
    expect((await outbound.post(url, {}, '{}')).excerpt).toBe('late');
  });

  it('that the receiver closes as it is used again is replaced by a new one', async () => {
    const old: Socket[] = [];
    const { url, sockets } = await receiver(({ socket }, response) => {
      if (old.includes(socket)) socket.resetAndDestroy();
      else response.end('ok');
    });
    const outbound = outboundTo(LOOPBACK);
    await Promise.all([outbound.post(url, {}, '{}'), outbound.post(url, {}, '{}')]);
    old.push(...sockets);
    expect((await outbound.post(url, {}, '{}')).excerpt).toBe('ok');
    expect(sockets).toHaveLength(3);
  });

  it('that the receiver closes whenever it is used is not tried for ever', async () => {
    let requests = 0;
    const { url } = await receiver(({ socket }, response) => {
      if (++requests === 1) response.end();
      else socket.resetAndDestroy();
    });
    const outbound = outboundTo(LOOPBACK);
    await outbound.post(url, {}, '{}');
    expect(await failureOf(outbound.post(url, {}, '{}'))).toBe('Connection closed before the end of the response');
    expect(requests).toBe(3);
  });
});

describe('TLS', () => {
  const { resolve } = resolver(['127.0.0.1']);
  const trusting = { resolve, ca: CERTIFICATE.cert };

  async function secureReceiver() {
    return await listening(https.createServer(CERTIFICATE, (_, response) => response.end('secret')));
  }

  it('is used with a certificate that is trusted, and the connection is used again', async () => {
    const { port, sockets } = await secureReceiver();
    const outbound = outboundTo(LOOPBACK, trusting);
    for (let count = 0; count < 3; count++) {
      expect((await outbound.post(`https://acme.test:${port}/`, {}, '{}')).excerpt).toBe('secret');
    }
    expect(sockets).toHaveLength(1);
  });

  it.each([
    ['self-signed', 'acme.test', { resolve }, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ["another host's", 'other.test', trusting, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('refuses a certificate that is %s', async (_, host, options, code) => {
    const { port } = await secureReceiver();
    const answer = outboundTo(LOOPBACK, options).post(`https://${host}:${port}/`, {}, '{}');
    expect(await failureOf(answer)).toBe(`The TLS certificate is not valid (${code})`);
  });

  it('fails when the receiver speaks another protocol, or none', async () => {
    const { port } = await receiver();
    expect(await failureOf(outboundTo(LOOPBACK, trusting).post(`https://acme.test:${port}/`, {}, '{}'))).toMatch(
      /^The TLS connection failed \(\w+\)$/,
    );
    const silent = await rawReceiver(() => {});
    const outbound = outboundTo(LOOPBACK, { connectMs: 100 });
    expect(await failureOf(outbound.post(silent.replace('http', 'https'), {}, '{}'))).toBe(
      'No connection within 0.1 s',
    );
  });
});

/** Sends a text bit by bit until the connection is closed. */
function drip(socket: Socket, text: string, bytes = 1): void {
  let sent = 0;
  const timer = setInterval(() => socket.write(text.slice(sent, (sent += bytes))), 10);
  socket.on('close', () => clearInterval(timer));
}
