import { connect } from 'node:net';
import type { Answer } from './client';
import type { Service } from './service';

/**
 * Sends this over a socket of its own, then `drip` again and again, until the service has answered and hung up.
 * The body of an answer that is no JSON is an empty object.
 */
export async function exchange(
  service: Service,
  request: string,
  drip?: string,
): Promise<Answer & { seconds: number }> {
  const began = Date.now();
  const text = await untilHungUp(service, request, drip);
  const [head, body] = text.split(/\r\n\r\n([^]*)/);
  const [statusLine, ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/, 2) as [string, string]));
  const isJson = headers.get('content-type')?.includes('json');
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    body: isJson ? JSON.parse(body) : {},
    seconds: (Date.now() - began) / 1000,
  };
}

/** Everything that the service sent until it hung up. Rejects when it has not hung up after 12 s. */
export function untilHungUp(service: Service, request: string, drip?: string): Promise<string> {
  const { hostname, port } = new URL(service.client.baseUrl);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(request, 'latin1'));
    const dripping = setInterval(() => drip && socket.writable && socket.write(drip), 250);
    const deadline = setTimeout(() => socket.destroy(new Error(`not hung up in 12 s, only said: ${text}`)), 12_000);
    socket.on('data', (data) => (text += data.toString()));
    // One who is hung up on while still sending gets an error from the system, after the answer or instead of it.
    socket.on('error', (error: NodeJS.ErrnoException) => !error.code && reject(error));
    socket.on('close', () => {
      clearTimeout(deadline);
      clearInterval(dripping);
      resolve(text);
    });
  });
}
