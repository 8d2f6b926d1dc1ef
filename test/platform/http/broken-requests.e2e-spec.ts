import { exchange, untilClosed } from '../../support/exchange';
import { expectProblem } from '../../support/problem';
import { serviceForAll, workspaceForEach } from '../../support/service';

const OFFERS = '/api/v1/public/offers';
const INIT = '/api/v1/runtime/session/init';
const KIB = 1024;

describe('A broken or incomplete request', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  it.each([
    ['no request line', 'nonsense\r\n\r\n'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['an unknown version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a path with NUL', 'GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n'],
    ['a header with NUL', 'GET / HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n'],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['a length that is not a number', `POST ${INIT} HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n`],
    ['two lengths', `POST ${INIT} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}`],
    [
      'a length beside chunks',
      `POST ${INIT} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
    ],
    [
      'a chunk without a size',
      `POST ${INIT} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    ],
  ])('is 400: %s', async (_, request) => {
    const response = await exchange(service, request);
    expect([response.status, response.body?.code]).toEqual([400, 'invalid_request']);
    expectProblem(response);
  });

  it('is refused after the complete request before it has been served', async () => {
    const { id } = await acme.offer();
    const request = `DELETE ${OFFERS}/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${acme.key}\r\n\r\n`;
    const text = await untilClosed(service, `${request}nonsense\r\n\r\n`);
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toEqual(['200', '400']);
  });

  it('is 431 when its headers are too large', async () => {
    const response = await exchange(service, `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect([response.status, response.body?.code]).toEqual([431, 'headers_too_large']);
    expectProblem(response);
  });

  it('is 400, 415 or 417 with an unknown Expect header', async () => {
    const request = `POST ${INIT} HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`;
    const response = await exchange(service, request);
    expect([400, 415, 417]).toContain(response.status);
    expectProblem(response);
  });

  it('is 413 as soon as its chunks exceed the limit', async () => {
    const head = `POST ${INIT} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const response = await exchange(service, `${head}${(16 * KIB + 1).toString(16)}\r\n${' '.repeat(16 * KIB + 1)}`);
    expect([response.status, response.body?.code]).toEqual([413, 'payload_too_large']);
    expectProblem(response);
  });

  it('is 408 when nothing, only half of it, or a byte now and then arrives', async () => {
    const head = `POST ${INIT} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n`;
    const responses = await Promise.all([
      exchange(service, ''),
      exchange(service, head),
      exchange(service, head, 'X'),
      exchange(service, `${head}\r\n{`),
      exchange(service, `${head}\r\n{`, ' '),
    ]);
    for (const response of responses) {
      expect([response.status, response.body?.code]).toEqual([408, 'request_timeout']);
      expectProblem(response);
    }
  });
});
