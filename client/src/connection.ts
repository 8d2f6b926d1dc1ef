import type { paths } from './api.ts';
import { toBase64Url } from './encoding.ts';
import { ApiError, ConnectionError } from './errors.ts';
import { isCsv, isJson, type Patience, send } from './retries.ts';
import type { AnswerOf, BodyOf, QueryOf } from './types.ts';
import type { Fetch, WebBlob, WebResponse, WebSignal } from './web.ts';

export interface ClientOptions {
  /** Where the service is: `https://flows.acme.example`. */
  baseUrl: string;
  /** An API key of the workspace, or the operator's key. The runtime needs none: never put a key into a page. */
  apiKey?: string | undefined;
  /** Milliseconds that each attempt of a request may take. 10,000 unless told, and 45,000 for statistics. */
  timeout?: number;
  /** How many times a request is tried again, where that is safe. 4 unless told; 0 for never. */
  retries?: number;
  /** Where to send a customer when the service fails: an `ApiError` and a `ConnectionError` have it as `cancellationUrl`. */
  cancellationUrl?: string | undefined;
  /** A replacement for the global `fetch`. */
  fetch?: Fetch;
}

/** Every method takes these last. */
export interface CallOptions {
  /** Ends the call at once, with all its attempts and pauses. */
  signal?: WebSignal | undefined;
}

/** Methods that change something take these last. */
export interface ChangeOptions extends CallOptions {
  /** Changes only what has this ETag: that of `etagOf` what you read. Else the call fails with `changed_meanwhile`. */
  ifMatch?: string | undefined;
}

/** Methods that create something take these last. */
export interface CreateOptions extends CallOptions {
  /**
   * Makes the call safe to repeat, by a later run of your program, too: for 24 hours, the same key and body give the
   * same answer. A random one unless told, which covers the attempts of this call.
   */
  idempotencyKey?: string;
}

const etags = new WeakMap<object, string>();

/** The ETag of what a method answered; undefined if it has none. */
export function etagOf(answer: object): string | undefined {
  return etags.get(answer);
}

type Method = 'get' | 'post' | 'put' | 'delete';

/** The paths that take a method. */
type PathFor<M extends Method> = { [Path in keyof paths]: paths[Path][M] extends object ? Path : never }[keyof paths];

/** What an operation takes. */
type RequestOf<Operation> = (Operation extends { parameters: { path: infer Ids } } ? { path: Ids } : unknown) &
  (Operation extends { requestBody?: never } ? unknown : { body: BodyOf<Operation> }) & { query?: QueryOf<Operation> };

/** Bytes that are sent as they are. */
export type File = WebBlob | ArrayBuffer | Uint8Array;

/** The same, whatever the operation. */
interface AnyRequest {
  path?: Record<string, unknown>;
  query?: unknown;
  body?: unknown;
  /** In place of a body of JSON. */
  file?: File;
}

interface Urgency {
  /** Whether a customer waits for it, or leaves the page meanwhile. */
  urgency?: 'waits' | 'leaves';
}

/** How a request is sent, and with which headers. */
interface Sending extends CallOptions, Urgency {
  isRepeatable: boolean;
  headers?: Record<string, string>;
}

/** What a customer waits for fails in time to send them on: two attempts in 2.5 s. */
const URGENT = { timeout: 1500, retries: 1, within: 2500 };

/** The service at an address, asked with a key. */
export class Connection {
  private readonly baseUrl: string;
  private readonly headers: Record<string, string>;
  private readonly patienceFor: (path: string, isUrgent: boolean) => Patience;
  private readonly cancellationUrl?: string;

  constructor({ baseUrl, apiKey, timeout, retries = 4, cancellationUrl, fetch = globalThis.fetch }: ClientOptions) {
    // Said here, because fetch repeats the key in its error.
    if (apiKey !== undefined && !/^[!-~]+$/.test(apiKey)) throw new TypeError('apiKey is not a key.');
    const isTimeout = timeout === undefined || (timeout > 0 && timeout < 2 ** 31);
    if (!(isTimeout && retries >= 0)) {
      throw new RangeError('timeout must be 1 to 2147483647, retries 0 or more.');
    }
    this.baseUrl = baseUrl.replace(/\/$/, '');
    this.headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
    this.cancellationUrl = cancellationUrl;
    this.patienceFor = (path, isUrgent) => {
      const patience = { fetch, timeout: timeout ?? usualTimeout(path), retries };
      if (!isUrgent) return patience;
      const { within } = URGENT;
      return {
        fetch,
        timeout: Math.min(patience.timeout, URGENT.timeout),
        retries: Math.min(retries, URGENT.retries),
        within,
      };
    };
  }

  /** A call that does the same however often it is sent. With an ETag it is sent once: it changes what has the ETag. */
  repeatable<M extends Method, Path extends PathFor<M>>(
    method: M,
    path: Path,
    request: RequestOf<paths[Path][M]>,
    { ifMatch, ...options }: ChangeOptions & Urgency = {},
  ): Promise<AnswerOf<paths[Path][M]>> {
    return this.json(method, path, request, { ...options, isRepeatable: ifMatch === undefined, ...matching(ifMatch) });
  }

  /** A call that does something each time that it is sent. */
  once<Path extends PathFor<'post'>>(
    path: Path,
    request: RequestOf<paths[Path]['post']>,
    { ifMatch, ...options }: ChangeOptions = {},
  ): Promise<AnswerOf<paths[Path]['post']>> {
    return this.json('post', path, request, { ...options, isRepeatable: false, ...matching(ifMatch) });
  }

  /** A call that creates something, once for its key. */
  creating<Path extends PathFor<'post'>>(
    path: Path,
    request: RequestOf<paths[Path]['post']>,
    { idempotencyKey = randomKey(), ...options }: CreateOptions & Urgency = {},
  ): Promise<AnswerOf<paths[Path]['post']>> {
    const headers = { 'Idempotency-Key': idempotencyKey };
    return this.json('post', path, request, { ...options, isRepeatable: true, headers });
  }

  /** A call that sends a file, and does the same however often. */
  uploading<Path extends PathFor<'post'>>(
    path: Path,
    file: File,
    options?: CallOptions,
  ): Promise<AnswerOf<paths[Path]['post']>> {
    return this.json('post', path, { file }, { ...options, isRepeatable: true });
  }

  /** Asks for a file. It is the caller's to read, and only its beginning has to come in time. */
  file<Path extends PathFor<'get'>>(
    path: Path,
    request: RequestOf<paths[Path]['get']>,
    options?: CallOptions,
  ): Promise<WebResponse> {
    return this.send('get', path, request, { ...options, isRepeatable: true }, isCsv);
  }

  private async json<Answer>(method: Method, path: string, request: AnyRequest, sending: Sending): Promise<Answer> {
    const response = await this.send(method, path, request, sending, isJson);
    const answer = (await response.json()) as Answer;
    const etag = response.headers.get('etag');
    if (etag) etags.set(answer as object, etag);
    return answer;
  }

  private async send(
    method: Method,
    path: string,
    { path: ids = {}, query = {}, body, file }: AnyRequest,
    { isRepeatable, headers, signal, urgency }: Sending,
    isAnswer: (response: Response) => boolean,
  ): Promise<Response> {
    const type = file ? 'application/octet-stream' : body !== undefined && 'application/json';
    const request = new Request(this.baseUrl + pathOf(path, ids) + queryOf(query), {
      method: method.toUpperCase(),
      headers: { ...this.headers, ...headers, ...(type && { 'Content-Type': type }) },
      body: (file as BodyInit | undefined) ?? JSON.stringify(body),
      // The service never redirects. Followed, a POST would become a GET, and its body would go to whatever other
      // server.
      redirect: 'manual',
      // The page may leave before the answer.
      keepalive: urgency === 'leaves',
    });
    const patience = this.patienceFor(path, urgency !== undefined);
    const response = await send(request, patience, isRepeatable, signal).catch((error: unknown) => {
      throw error instanceof ConnectionError ? Object.assign(error, { cancellationUrl: this.cancellationUrl }) : error;
    });
    if (!response.ok || !isAnswer(response)) {
      throw new ApiError(response, await response.text(), this.cancellationUrl);
    }
    return response;
  }
}

/** Statistics, and all about a customer, take up to 40 s, everything else 10 s. */
function usualTimeout(path: string): number {
  return /\/(stats|export)(\/|$)/.test(path) ? 45_000 : 10_000;
}

function matching(ifMatch: string | undefined): Pick<Sending, 'headers'> {
  return ifMatch === undefined ? {} : { headers: { 'If-Match': ifMatch } };
}

/** A path with its ids. Throws for those that would lead to another path: URLs drop `.` and `..`, encoded ones too. */
function pathOf(path: string, ids: Record<string, unknown>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = String((ids[name] as string | number | undefined) ?? '');
    if (['', '.', '..'].includes(id)) throw new TypeError(`${name} must not be "${id}".`);
    return encodeURIComponent(id);
  });
}

/** Programs without types give a Date where a time is asked for. */
function queryOf(query: unknown): string {
  const parameters = new URLSearchParams(JSON.parse(JSON.stringify(query)) as Record<string, string>).toString();
  return parameters && `?${parameters}`;
}

/** Not crypto.randomUUID, which pages have only on https. */
function randomKey(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
}
