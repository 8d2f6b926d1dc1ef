import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './api.ts';
import { toBase64Url } from './encoding.ts';
import { ApiError } from './errors.ts';
import { isJson, type Patience, send } from './retries.ts';

export interface ClientOptions {
  /** Where the service is: `https://flows.acme.example`. */
  baseUrl: string;
  /** An API key of the workspace, or the operator's key. The runtime needs none: never put a key into a page. */
  apiKey?: string | undefined;
  /** Milliseconds that each attempt of a request may take. 10,000 unless told. */
  timeout?: number;
  /** How many times a request is tried again, where that is safe. 4 unless told; 0 for never. */
  retries?: number;
  /** A replacement for the global `fetch`. */
  fetch?: typeof fetch;
}

/** Every method takes these last. */
export interface CallOptions {
  /** Ends the call at once, with all its attempts and pauses. */
  signal?: AbortSignal;
}

/** Methods that create something take these last. */
export interface CreateOptions extends CallOptions {
  /**
   * Makes the call safe to repeat, by a later run of your program, too: for 24 hours, the same key and body give the same
   * answer. A random one unless told, which covers the attempts of this call.
   */
  idempotencyKey?: string;
}

/** What a call adds to its request: how it is sent, and its headers. */
interface Sending {
  fetch: (request: Request) => Promise<Response>;
  headers?: Record<string, string>;
}

/** The service at an address, asked with a key. */
export class Connection {
  readonly api: Client<paths, 'application/json'>;
  private readonly patience: Patience;

  constructor({ baseUrl, apiKey, timeout = 10_000, retries = 4, fetch = globalThis.fetch }: ClientOptions) {
    // Said here, because fetch repeats the key in its error.
    if (apiKey !== undefined && !/^[!-~]+$/.test(apiKey)) throw new TypeError('apiKey is not a key.');
    if (!(timeout > 0 && timeout < 2 ** 31 && retries >= 0)) {
      throw new RangeError('timeout must be 1 to 2147483647, retries 0 or more.');
    }
    this.api = createClient({
      baseUrl,
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      // The service never redirects. Followed, a POST would become a GET, and its body would go to whatever other server.
      redirect: 'manual',
      pathSerializer: pathOf,
      querySerializer: queryOf,
    });
    this.patience = { fetch, timeout, retries };
  }

  /** A call that does the same however often it is sent. */
  repeatable({ signal }: CallOptions = {}): Sending {
    return { fetch: (request) => this.fetch(request, true, signal) };
  }

  /** A call that does something each time that it is sent. */
  once({ signal }: CallOptions = {}): Sending {
    return { fetch: (request) => this.fetch(request, false, signal) };
  }

  /** A call that creates something, once for its key. */
  creating({ idempotencyKey = randomKey(), ...options }: CreateOptions = {}): Sending {
    return { ...this.repeatable(options), headers: { 'Idempotency-Key': idempotencyKey } };
  }

  private async fetch(request: Request, repeatable: boolean, signal?: AbortSignal): Promise<Response> {
    const response = await send(request, this.patience, repeatable, signal);
    if (!response.ok || !isJson(response)) throw new ApiError(response, await response.text());
    return response;
  }
}

/** The JSON of a response. Errors were thrown before. */
export async function answer<Body>(response: Promise<{ data?: Body }>): Promise<Body> {
  return (await response).data as Body;
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
function queryOf(query: Record<string, unknown>): string {
  return new URLSearchParams(JSON.parse(JSON.stringify(query)) as Record<string, string>).toString();
}

/** Not crypto.randomUUID, which pages have only on https. */
function randomKey(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
}
