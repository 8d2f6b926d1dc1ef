import { Agent, request } from 'node:http';

/** The outcomes of the requests of all clients. */
export interface Outcomes {
  /** Requests with a complete response, by status. */
  answered: Record<number, number>;
  /** Requests without a complete response on an open connection, by error message. */
  cut: Record<string, number>;
  /** Clients whose new connection was refused. */
  refused: number;
}

/**
 * Runs clients that each send their next request as soon as they have a response, on a keep-alive connection. Resolves
 * when each of them has been refused a connection or cut off.
 */
export async function closedLoop(
  clients: number,
  url: string,
  body: object,
  onResponse: () => void,
): Promise<Outcomes> {
  const outcomes: Outcomes = { answered: {}, cut: {}, refused: 0 };
  const text = JSON.stringify(body);
  const loop = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (;;) {
      const outcome = await post(url, text, agent);
      if (typeof outcome !== 'number') {
        if (outcome.code === 'ECONNREFUSED') outcomes.refused++;
        else outcomes.cut[outcome.message] = (outcomes.cut[outcome.message] ?? 0) + 1;
        agent.destroy();
        return;
      }
      outcomes.answered[outcome] = (outcomes.answered[outcome] ?? 0) + 1;
      onResponse();
    }
  };
  await Promise.all(Array.from({ length: clients }, loop));
  return outcomes;
}

function post(url: string, body: string, agent: Agent): Promise<number | NodeJS.ErrnoException> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.on('error', resolve);
      response.on('end', () => resolve(response.statusCode!));
      response.resume();
    });
    sent.on('error', resolve);
    sent.end(body);
  });
}
