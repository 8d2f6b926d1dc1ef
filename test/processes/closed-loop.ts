import { Agent, request } from 'node:http';

/** What became of the requests of some clients. */
export interface Tally {
  /** Requests with a whole answer, by status. */
  answered: Record<number, number>;
  /** Requests that were sent on an open connection and got no whole answer, by what the client saw. */
  cut: Record<string, number>;
  /** Clients that found nobody listening any more. */
  refused: number;
}

/**
 * Clients that each send a request as soon as the one before is answered, on a connection that they keep as long as the
 * service lets them. Resolves when each of them found nobody listening, or was cut.
 */
export async function closedLoop(clients: number, url: string, body: object, onAnswer: () => void): Promise<Tally> {
  const tally: Tally = { answered: {}, cut: {}, refused: 0 };
  const text = JSON.stringify(body);
  const loop = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (;;) {
      const outcome = await post(url, text, agent);
      if (typeof outcome !== 'number') {
        if (outcome.code === 'ECONNREFUSED') tally.refused++;
        else tally.cut[outcome.message] = (tally.cut[outcome.message] ?? 0) + 1;
        agent.destroy();
        return;
      }
      tally.answered[outcome] = (tally.answered[outcome] ?? 0) + 1;
      onAnswer();
    }
  };
  await Promise.all(Array.from({ length: clients }, loop));
  return tally;
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
