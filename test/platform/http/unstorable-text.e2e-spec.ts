import { exchange } from '../../support/exchange';
import { Service, serviceForAll, workspaceForEach } from '../../support/service';

/**
 * As bytes of a path or a query: NUL, a lone surrogate, an overlong NUL, no UTF-8 at all, and text that only looks like
 * it.
 */
const ENCODED = ['%00', 'a%00b', '%ED%A0%80', '%C0%80', '%FF', '%E2%82', '%u0000', '%EF%BF%BF', '%F4%90%80%80'];
/** As bytes of a header or a body. */
const RAW = ['\xed\xa0\x80', '\xc0\x80', '\xff', '\xe2\x82', '\xf4\x90\x80\x80', '\x7f'];
/** As escapes in JSON. */
const ESCAPED = [String.raw`"\u0000"`, String.raw`"a\ud800"`, String.raw`"\udc00\ud800"`, '"\xed\xa0\x80"', '"\xff"'];
const HEADERS =
  'accept-language authorization cookie idempotency-key if-match if-none-match origin referer request-id user-agent workspace-id x-forwarded-for'.split(
    ' ',
  );
const BODIES: [type: string, bodyOf: (text: string) => string][] = [
  ['application/json', (text) => `{"flow_slug":${text},"name":${text},${text}:1}`],
  ['application/json', (text) => `[${text}]`],
  ['application/x-www-form-urlencoded', (text) => `name=${text}&email=${text}&${text}=a`],
  ['application/octet-stream', (text) => text],
];

describe('Text that no database can hold', () => {
  const service = serviceForAll(() => Service.start({ LOG_LEVEL: 'error' }));
  const acme = workspaceForEach(service);
  const head = (method: string, path: string, more: string[] = []) =>
    [`${method} ${path} HTTP/1.1`, 'Host: x', 'Connection: close', `Authorization: Bearer ${acme.key}`, ...more].join(
      '\r\n',
    );
  const routes = () =>
    service.app
      .getHttpAdapter()
      .getInstance()
      .knownRoutes.filter(({ url }) => !url.includes('*'));
  const plain = (url: string) => url.replaceAll(/:\w+/g, '019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a');

  /** Sends requests, some at a time, and returns those with a 5xx. */
  async function failing(requests: string[]): Promise<string[]> {
    const failed: string[] = [];
    const left = [...requests];
    const next = async () => {
      for (let request = left.pop(); request !== undefined; request = left.pop()) {
        const { status } = await exchange(service, request);
        // A client whose request is no HTTP may get nothing but the end of the connection.
        if (status >= 500) failed.push(`${status} ${request}`);
      }
    };
    await Promise.all(Array.from({ length: 10 }, next));
    expect(service.log.filter((line) => line.includes('unexpected error'))).toEqual([]);
    return failed;
  }

  it('is refused in every path', async () => {
    const requests = routes().flatMap(({ url, methods }) =>
      url.includes(':')
        ? methods.flatMap((method) =>
            ENCODED.map((text) => `${head(method, url.replaceAll(/:\w+/g, text), ['Content-Length: 0'])}\r\n\r\n`),
          )
        : [],
    );
    expect(requests.length).toBeGreaterThan(500);
    expect(await failing(requests)).toEqual([]);
  });

  it('is refused in every query', async () => {
    const names = ['q', 'cursor', 'locale', 'lang', 'token', 'kind', 'from', 'attribute', 'script', 'force'];
    const requests = routes().flatMap(({ url, methods }) =>
      methods.flatMap((method) =>
        ['%00', '%ED%A0%80', '%FF'].map((text) => {
          const query = names.map((name) => `${name}=${text}`).join('&');
          return `${head(method, `${plain(url)}?${query}&${text}=1`, ['Content-Length: 0'])}\r\n\r\n`;
        }),
      ),
    );
    expect(await failing(requests)).toEqual([]);
  });

  it('is refused in every header', async () => {
    const requests = routes().flatMap(({ url, methods }) =>
      methods.flatMap((method) =>
        RAW.slice(0, 3).map(
          (text) =>
            `${head(
              method,
              plain(url),
              HEADERS.map((name) => `${name}: ${text}`),
            ).replace(/Authorization: Bearer .*\r\n/, '')}\r\nContent-Length: 0\r\n\r\n`,
        ),
      ),
    );
    expect(await failing(requests)).toEqual([]);
  });

  it('is refused in every body', async () => {
    const requests = routes().flatMap(({ url, methods }) =>
      methods
        .filter((method) => ['POST', 'PUT'].includes(method))
        .flatMap((method) =>
          BODIES.flatMap(([type, bodyOf]) =>
            (type.endsWith('json') ? ESCAPED : ['%00', ...RAW]).map((text) => {
              const body = bodyOf(text);
              const lines = [`Content-Type: ${type}`, `Content-Length: ${body.length}`];
              return `${head(method, plain(url), lines)}\r\n\r\n${body}`;
            }),
          ),
        ),
    );
    expect(await failing(requests)).toEqual([]);
  });

  it('is named where it is refused: a path is 404, a parameter 400', async () => {
    for (const path of ['/leave/%00', '/exit/%00', '/images/%00', '/api/v1/public/flows/%00']) {
      expect([path, (await exchange(service, `${head('GET', path)}\r\n\r\n`)).status]).toEqual([path, 404]);
    }
    const { status, body } = await exchange(service, `${head('GET', '/api/v1/public/sessions?q=%00')}\r\n\r\n`);
    expect([status, body.errors[0].parameter]).toEqual([400, 'q']);
    const { slug } = await acme.publishedFlow();
    expect((await exchange(service, `${head('GET', `/leave/${slug}?token=%00`)}\r\n\r\n`)).status).toBe(400);
  });
});
