import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Node's undocumented HTTP parser of a connection. It calls `onIncoming` as soon as a request's headers are complete.
 */
interface ParsedSocket extends Socket {
  parser?: { onIncoming: (request: IncomingMessage, shouldKeepAlive: boolean) => number };
}

/** Makes Node's parser ignore the rest of the connection's input. */
const STOP_PARSING = 2;

/**
 * Asks before each request of a connection whether it may begin. If not, nothing that follows on the connection is
 * parsed. Node has no event between the headers and the request, and goes on parsing what a closed connection has
 * received.
 */
export function admitRequests(socket: ParsedSocket, isAdmitted: () => boolean): void {
  const { parser } = socket;
  if (!parser) return;
  const onIncoming = parser.onIncoming.bind(parser);
  parser.onIncoming = (request, shouldKeepAlive) =>
    isAdmitted() ? onIncoming(request, shouldKeepAlive) : STOP_PARSING;
}
