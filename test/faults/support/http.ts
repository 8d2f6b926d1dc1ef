import { Agent, request } from 'node:http';

export interface JsonResponse {
  status: number;
  // Tests check the body of a response, so it has no static type.
  // oxlint-disable-next-line no-explicit-any
  body: any;
}

/** Sends JSON and returns the response. Rejects if the connection is lost before the response is complete. */
export function send(
  agent: Agent | undefined,
  method: string,
  url: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<JsonResponse> {
  return new Promise((resolve, reject) => {
    const text = body && JSON.stringify(body);
    const json = text ? { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) } : {};
    const outgoing = request(url, { method, agent, headers: { ...json, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode!, body: JSON.parse(Buffer.concat(chunks).toString()) });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}
