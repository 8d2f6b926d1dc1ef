import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a receiver got, as it responds to GET. */
export interface Received {
  requests: number;
  /** Different events. */
  events: number;
  /** When the first and the last request were read: milliseconds since 1970. */
  first: number;
  last: number;
  /** User and system time of the process. */
  cpuSeconds: number;
}

/** The path where requests get no response. */
export const HANGING = '/hanging';

const events = new Set<string>();
let requests = 0;
let first = 0;
let last = 0;

function received(): Received {
  const { user, system } = process.cpuUsage();
  return { requests, events: events.size, first, last, cpuSeconds: (user + system) / 1e6 };
}

/** A process of its own that receives events: it counts them and responds at once, or never. */
const server = createServer((request, response) => {
  if (request.method === 'GET') response.end(JSON.stringify(received()));
  else
    request.resume().once('end', () => {
      if (request.url === HANGING) return;
      requests++;
      events.add(String(request.headers['webhook-id']));
      last = performance.timeOrigin + performance.now();
      first ||= last;
      response.writeHead(204).end();
    });
});

if (require.main === module) {
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
}
