import type { Contract } from '../support/contract';
import type { WireAnswer } from './wire';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Throws unless the answer is one that the document names; answers the name of the operation that gave it. */
export function judge(contract: Contract, method: string, target: string, answer: WireAnswer): string | undefined {
  const { status, headers } = answer;
  const contentType = headers.get('content-type') ?? 'no type';
  const body = (contentType.includes('json') ? JSON.parse(answer.body) : answer.body) as unknown;
  if (status >= 500 && status !== 503) throw new Error(`answered ${status}: ${answer.body}`);
  const operation = contract.check(method, pathOf(target), status, headers, body);
  expect(headers.get('request-id')).toMatch(UUID);
  if (status >= 400) expect(body).toMatchObject({ status, request_id: headers.get('request-id') });
  return operation;
}

/** The path of a request target (RFC 9112, 3.2), without the host of the absolute form and with its letters decoded. */
function pathOf(target: string): string {
  const [path] = target.replace(/^http:\/\/[^/?#]*/, '').split(/[?# ]/);
  return path.replaceAll(/%(?:4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/gi, (code) => decodeURIComponent(code));
}
