import { contract } from './contract';

export interface Answer {
  status: number;
  headers: Headers;
  // What an answer holds is what the tests are about; its shape is held against the OpenAPI document.
  // oxlint-disable-next-line no-explicit-any
  body: any;
}

/** An HTTP client that holds every answer against the OpenAPI document. */
export class Client {
  constructor(
    readonly baseUrl: string,
    private readonly key?: string,
    private readonly cookie?: string,
  ) {}

  with(key: string): Client {
    return new Client(this.baseUrl, key);
  }

  /** The browser of a person, on a page of the service, after an answer that signed them in. */
  signedIn({ headers }: Answer): Client {
    const [cookie] = headers.getSetCookie()[0].split(';');
    return new Client(this.baseUrl, undefined, cookie);
  }

  get(path: string, headers?: Record<string, string>): Promise<Answer> {
    return this.send('GET', path, { headers });
  }

  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.sendJson('POST', path, body, headers);
  }

  put(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.sendJson('PUT', path, body, headers);
  }

  delete(path: string, headers?: Record<string, string>): Promise<Answer> {
    return this.send('DELETE', path, { headers });
  }

  sendJson(method: string, path: string, body: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.send(method, path, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  }

  /** Sends exactly this, with the client's key or cookie. */
  async send(
    method: string,
    path: string,
    { headers, body }: { headers?: Record<string, string>; body?: string | Uint8Array } = {},
  ): Promise<Answer> {
    const response = await fetch(this.baseUrl + path, {
      method,
      body: body as string | undefined,
      headers: {
        ...(this.key && { authorization: `Bearer ${this.key}` }),
        ...(this.cookie && { cookie: this.cookie, origin: this.baseUrl }),
        ...headers,
      },
    });
    const text = await response.text();
    const contentType = response.headers.get('content-type') ?? '';
    const answer = contentType.includes('json') ? (JSON.parse(text) as unknown) : text;
    const isOfInterface = /json|csv/.test(contentType) || response.status === 304;
    if (!isOfInterface && path.startsWith('/api/') && response.status !== 204) {
      throw new Error(`${method} ${path} → ${response.status} is no JSON: ${text}`);
    }
    if (isOfInterface) contract.check(method, path, response.status, response.headers, answer);
    return { status: response.status, headers: response.headers, body: answer };
  }
}
