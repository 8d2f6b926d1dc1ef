import { connect } from 'node:net';
import type { Answer } from './client';
import type { Service } from './service';

/**
 * Sends a request on a new connection, then `drip` every 250 ms until the service closes the connection. Returns the
 * response; its body is an empty object if it is not JSON.
 */
export async function exchange(service: Service, request: string, drip?: string): Promise<Answer> {
  const text = await untilClosed(service, request, drip);
  const [head, body] = text.split(/\r\n\r\n([^]*)/);
  const [statusLine, ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/, 2) as [string, string]));
  // A file that is written as it is read comes in chunks, which nobody here reads.
  const isJson = headers.get('content-type')?.includes('json') && !headers.has('transfer-encoding');
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    body: isJson && body ? JSON.parse(body) : {},
  };
}

/** Everything that the service sent until it closed the connection. */
export function untilClosed(service: Service, request: string, drip?: string): Promise<string> {
  const { hostname, port } = new URL(service.client.baseUrl);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(request, 'latin1'));
    const dripping = setInterval(() => drip && socket.writable && socket.write(drip), 250);
    socket.on('data', (data) => (text += data.toString()));
    // A client that is still sending when the service closes gets a system error, after the response or instead of it.
    socket.on('error', (error: NodeJS.ErrnoException) => !error.code && reject(error));
    socket.on('close', () => {
      clearInterval(dripping);
      resolve(text);
    });
  });
}
