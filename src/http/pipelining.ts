import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may wait for their answers at a time (HTTP pipelining, RFC 9112, 9.3.2). */
const MAX_UNANSWERED = 16;
/** Tells Node's parser that what follows on the connection is not for it. */
const STOP_PARSING = 2;

/** What Node hangs on a connection, undocumented: where a request goes as soon as its headers have come. */
interface ParsedSocket extends Socket {
  parser?: { onIncoming: (request: IncomingMessage, shouldKeepAlive: boolean) => number };
}

const unanswered = new WeakMap<Socket, number>();

/**
 * Closes a connection with its 17th unanswered request. Answers have to wait for the ones before them, so a client that sends
 * thousands of requests and reads nothing would fill the memory. It is done where a request begins, because whatever
 * has arrived of a closed connection is parsed on: one read of 64 KB makes thousands of requests.
 */
export function boundPipelines(server: Server): void {
  server.on('connection', (socket: ParsedSocket) => {
    const { parser } = socket;
    if (!parser) return;
    const begin = parser.onIncoming.bind(parser);
    parser.onIncoming = (request, shouldKeepAlive) => {
      const count = unanswered.get(socket) ?? 0;
      if (count === MAX_UNANSWERED) socket.destroy();
      if (socket.destroyed) return STOP_PARSING;
      unanswered.set(socket, count + 1);
      return begin(request, shouldKeepAlive);
    };
  });
  server.on('request', (_, answer) => answer.on('close', countAnswer));
}

function countAnswer(this: ServerResponse): void {
  const { socket } = this.req;
  unanswered.set(socket, unanswered.get(socket)! - 1);
}
