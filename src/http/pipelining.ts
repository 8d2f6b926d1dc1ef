import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many requests of one connection may be pending at a time (HTTP pipelining, RFC 9112, 9.3.2). */
const MAX_PENDING = 16;
/** Makes Node's parser ignore the rest of the connection's input. */
const STOP_PARSING = 2;

/** Node's undocumented HTTP parser of a connection. It calls `onIncoming` as soon as a request's headers are complete. */
interface ParsedSocket extends Socket {
  parser?: { onIncoming: (request: IncomingMessage, shouldKeepAlive: boolean) => number };
}

const pendingCounts = new WeakMap<Socket, number>();

/**
 * Closes a connection at its 17th pending request. Responses must be sent in order, so a client that sends thousands of
 * requests and reads nothing would fill the memory. The check sits in the parser because Node keeps parsing what a closed
 * connection has already received: one read of 64 KB holds thousands of requests.
 */
export function limitPipelining(server: Server): void {
  server.on('connection', (socket: ParsedSocket) => {
    const { parser } = socket;
    if (!parser) return;
    const onIncoming = parser.onIncoming.bind(parser);
    parser.onIncoming = (request, shouldKeepAlive) => {
      const pending = pendingCounts.get(socket) ?? 0;
      if (pending === MAX_PENDING) socket.destroy();
      if (socket.destroyed) return STOP_PARSING;
      pendingCounts.set(socket, pending + 1);
      return onIncoming(request, shouldKeepAlive);
    };
  });
  server.on('request', (_, response) => response.on('close', countResponse));
}

function countResponse(this: ServerResponse): void {
  const { socket } = this.req;
  pendingCounts.set(socket, pendingCounts.get(socket)! - 1);
}
