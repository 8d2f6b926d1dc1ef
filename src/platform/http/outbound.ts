import * as dns from 'node:dns';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { inNetworks, isPublic } from './networks';

const MAX_BODY_BYTES = 4096;
/** Each costs the process time, and a receiver could send them without end. */
const MAX_INFORMATIONAL_RESPONSES = 10;
const MAX_EXCERPT_CHARACTERS = 500;
const MAX_RETRY_AFTER_SECONDS = 24 * 60 * 60;
/** How long a connection waits for another request. Many servers close theirs after 5 seconds. */
const IDLE_MS = 4_000;
/** How long an address of a host is tried before the next. Node's 250 ms are too little for a far continent. */
const NEXT_ADDRESS_MS = 1_000;

/** Why there is no complete response: a short sentence for the developer of the receiver. */
export class OutboundError extends Error {}

/** A response to a request of ours. */
export interface OutboundResponse {
  status: number;
  /** Seconds, at most 24 hours. */
  retryAfter?: number;
  /** Up to 500 characters of the body, which Postgres can store. */
  excerpt: string;
}

/** Options that only tests change. */
export interface OutboundOptions {
  resolve: (
    hostname: string,
    options: dns.LookupAllOptions,
    callback: (error: NodeJS.ErrnoException | null, addresses: dns.LookupAddress[]) => void,
  ) => void;
  /** Certificates to trust instead of Node's. */
  ca?: string;
  /** The time from the call to the end of the response. */
  totalMs: number;
  /** The time for DNS, TCP and TLS. */
  connectMs: number;
}

/**
 * The only place that sends requests to the URLs of tenants. So a connection is made only to a public address,
 * over https; or, over http too, into a network that the operator allows. Redirects are not followed.
 */
export class Outbound {
  private readonly isAllowed: (address: string) => boolean;
  private readonly options: OutboundOptions;
  private readonly agents: Record<string, { kept: http.Agent; fresh: http.Agent }>;
  private readonly underWay = new Set<AbortController>();

  /** @param allowedNetworks addresses and CIDRs of private networks that requests may go to */
  constructor(allowedNetworks: string[], options: Partial<OutboundOptions> = {}) {
    this.isAllowed = inNetworks(allowedNetworks);
    this.options = { resolve: dns.lookup, totalMs: 15_000, connectMs: 5_000, ...options };
    const kept = { keepAlive: true, timeout: IDLE_MS };
    const plain = { lookup: this.lookup('http:'), autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS };
    const tls = { ...plain, lookup: this.lookup('https:'), ca: options.ca, rejectUnauthorized: true };
    this.agents = {
      'http:': { kept: new http.Agent({ ...plain, ...kept }), fresh: new http.Agent(plain) },
      'https:': { kept: new https.Agent({ ...tls, ...kept }), fresh: new https.Agent(tls) },
    };
  }

  /**
   * Sends a POST and reads the status and up to 4 kB of the response. Rejects with an OutboundError if there is no
   * complete response within 15 seconds, no connection within 5 seconds, or no address that may be connected to.
   */
  async post(url: string, headers: http.OutgoingHttpHeaders, body: string): Promise<OutboundResponse> {
    const target = new URL(url);
    const { kept, fresh } = this.agents[target.protocol];
    const address = literalOf(target);
    const obstacle = address && this.obstacleTo(target.protocol, address);
    if (obstacle) throw new OutboundError(`The host is ${address}, ${obstacle}`);

    const exchange = new AbortController();
    this.underWay.add(exchange);
    const timer = abortIn(this.options.totalMs, exchange, 'No complete response');
    try {
      const send = (agent: http.Agent) => this.send(target, headers, body, agent, exchange);
      const response = await send(kept).catch((error: unknown) => {
        if (error instanceof ClosedWhileIdle) return send(fresh);
        throw error;
      });
      return await answerOf(response);
    } catch (error) {
      throw exchange.signal.aborted ? exchange.signal.reason : explained(error as NodeJS.ErrnoException);
    } finally {
      clearTimeout(timer);
      this.underWay.delete(exchange);
    }
  }

  /** Ends all requests and connections. */
  close(): void {
    for (const exchange of this.underWay) exchange.abort(new OutboundError('The service was stopped'));
    for (const { kept, fresh } of Object.values(this.agents)) {
      kept.destroy();
      fresh.destroy();
    }
  }

  /** Resolves with the response as soon as its headers are there. */
  private async send(
    target: URL,
    headers: http.OutgoingHttpHeaders,
    body: string,
    agent: http.Agent,
    exchange: AbortController,
  ): Promise<http.IncomingMessage> {
    const isSecure = target.protocol === 'https:';
    const request = (isSecure ? https : http).request(target, {
      method: 'POST',
      headers,
      agent,
      signal: exchange.signal,
    });
    const timer = abortIn(this.options.connectMs, exchange, 'No connection');
    request.once('socket', (socket) => {
      if (request.reusedSocket) clearTimeout(timer);
      else socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(timer));
    });
    let informational = 0;
    const countInformational = () => {
      if (++informational > MAX_INFORMATIONAL_RESPONSES) {
        exchange.abort(new OutboundError('The receiver sent too many informational responses (1xx)'));
      }
    };
    request.on('information', countInformational).on('continue', countInformational);
    try {
      return await new Promise((resolve, reject) => {
        request.on('response', resolve).on('error', reject);
        // Without either of them when the receiver switches to another protocol.
        request.on('close', () => reject(new OutboundError('Connection closed without a response')));
        request.end(body);
      });
    } catch (error) {
      const isReset = ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');
      throw request.reusedSocket && isReset ? new ClosedWhileIdle() : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Resolves a host to those of its addresses that may be connected to. These are the ones that Node connects to. */
  private lookup(protocol: string): LookupFunction {
    return (hostname, options, callback) => {
      this.options.resolve(hostname, { ...options, all: true }, (error, addresses) => {
        const usable = error ? [] : addresses.filter(({ address }) => !this.obstacleTo(protocol, address));
        if (usable.length === 0) callback(error ?? this.refusal(protocol, addresses), []);
        else if (options.all) callback(null, usable);
        else callback(null, usable[0].address, usable[0].family);
      });
    };
  }

  private refusal(protocol: string, [first]: dns.LookupAddress[]): OutboundError {
    if (!first) return new OutboundError(SENTENCES.ENOTFOUND);
    // It doesn't say which: whoever has an API key could look up the names of this network.
    return new OutboundError(`The host resolves to ${this.obstacleTo(protocol, first.address)}`);
  }

  private obstacleTo(protocol: string, address: string): string | undefined {
    if (this.isAllowed(address)) return undefined;
    if (!isPublic(address)) return 'a private address: see WEBHOOK_ALLOWED_NETWORKS';
    return protocol === 'https:' ? undefined : 'a public address, which has to be called with https';
  }
}

/** A connection that waited for its next request was closed just as it got one, before anything was answered. */
class ClosedWhileIdle extends Error {}

/**
 * Why no request may be sent to a URL, as the message of a field; undefined if one may. To which
 * address a name leads is checked with each request.
 *
 * @param url an absolute http(s) URL
 * @param allowedNetworks addresses and CIDRs of private networks that requests may go to
 */
export function refusalOf(url: string, allowedNetworks: string[]): string | undefined {
  const target = new URL(url);
  const isSecure = target.protocol === 'https:';
  const isLocal = /(^|\.)localhost\.?$/.test(target.hostname);
  const addresses = isLocal ? ['127.0.0.1', '::1'] : [literalOf(target) ?? []].flat();
  if (addresses.some(inNetworks(allowedNetworks)) || (isSecure && addresses.some(isPublic))) return undefined;
  if (addresses.length === 0 && (isSecure || allowedNetworks.length > 0)) return undefined;
  return isSecure
    ? 'is a private address, and not in a network of WEBHOOK_ALLOWED_NETWORKS'
    : 'must be https, or in a network of WEBHOOK_ALLOWED_NETWORKS';
}

/** The address that a URL has instead of a name. Node doesn't resolve it, and so doesn't call `lookup`. */
function literalOf({ hostname }: URL): string | undefined {
  const address = hostname.replace(/^\[|\]$/g, '');
  return isIP(address) ? address : undefined;
}

function abortIn(ms: number, exchange: AbortController, what: string): NodeJS.Timeout {
  return setTimeout(() => exchange.abort(new OutboundError(`${what} within ${ms / 1000} s`)), ms);
}

/** Reads a response. One whose first 4 kB are there is taken for complete. */
async function answerOf(response: http.IncomingMessage): Promise<OutboundResponse> {
  let body = Buffer.alloc(0);
  for await (const chunk of response) {
    body = Buffer.concat([body, chunk as Buffer]);
    if (body.length >= MAX_BODY_BYTES) break;
  }
  if (!(response.statusCode! >= 200 && response.statusCode! <= 999)) throw new OutboundError(INVALID_HTTP);
  const text = body.subarray(0, MAX_BODY_BYTES).toString().replaceAll('\0', '\ufffd');
  return {
    status: response.statusCode!,
    retryAfter: retryAfterOf(response.headers),
    excerpt: [...text].slice(0, MAX_EXCERPT_CHARACTERS).join(''),
  };
}

/** Retry-After (RFC 9110) in seconds. A date counts from the response's own, so that no clocks have to agree. */
function retryAfterOf({ 'retry-after': retryAfter = '', date = '' }: http.IncomingHttpHeaders): number | undefined {
  const isDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
  const seconds = isDate.test(retryAfter) ? (Date.parse(retryAfter) - Date.parse(date)) / 1000 : NaN;
  const value = /^\d+$/.test(retryAfter) ? Number(retryAfter) : seconds;
  return value >= 0 ? Math.min(value, MAX_RETRY_AFTER_SECONDS) : undefined;
}

const INVALID_HTTP = 'The response is not valid HTTP';
const SENTENCES: Record<string, string> = {
  ENOTFOUND: 'The host name does not resolve',
  EAI_AGAIN: 'The host name could not be resolved',
  ECONNREFUSED: 'Connection refused',
  ECONNRESET: 'Connection closed before the end of the response',
  ERR_STREAM_PREMATURE_CLOSE: 'Connection closed before the end of the response',
  EPIPE: 'Connection closed before the end of the response',
  ...Object.fromEntries(['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'].map((code) => [code, 'The host is unreachable'])),
  HPE_HEADER_OVERFLOW: 'The headers of the response are too large',
};

function explained(error: NodeJS.ErrnoException): Error {
  const { code } = error;
  if (error instanceof OutboundError || code === undefined) return error;
  if (code in SENTENCES) return new OutboundError(SENTENCES[code]);
  if (code.startsWith('HPE_')) return new OutboundError(INVALID_HTTP);
  if (/CERT|SIGNATURE/.test(code)) return new OutboundError(`The TLS certificate is not valid (${code})`);
  if (/^EPROTO|SSL|TLS/.test(code)) return new OutboundError(`The TLS connection failed (${code})`);
  return new OutboundError(`The request failed (${code})`);
}
