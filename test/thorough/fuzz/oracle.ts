import { contract } from '../../support/contract';
import type { RawResponse } from './raw-http';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Throws unless the OpenAPI document names the response. Returns the name of the operation, if it is one. */
export function checkResponse(
  method: string,
  target: string,
  { status, headers, body: text }: RawResponse,
): string | undefined {
  const body = (headers.get('content-type')?.includes('json') ? JSON.parse(text) : text) as unknown;
  if (status >= 500 && status !== 503) throw new Error(`status ${status}: ${text}`);
  const operation = contract.check(method, pathOf(target), status, headers, body);
  expect(headers.get('request-id')).toMatch(UUID);
  if (status >= 400) expect(body).toMatchObject({ status, request_id: headers.get('request-id') });
  return operation;
}

/**
 * The path of a request target (RFC 9112, 3.2): without the host of the absolute form, and with its letters decoded.
 */
function pathOf(target: string): string {
  // The absolute form takes no fragment (RFC 9112, 3.2.2): it is the address of nothing.
  if (/^http:.*#/.test(target)) return '';
  const [path] = target.replace(/^http:\/\/[^/?#]*/, '').split(/[?# ]/);
  return path.replaceAll(/%(?:4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/gi, (code) => decodeURIComponent(code));
}
