import fastify from 'fastify';

/** A response of the service to a start. */
export interface Answer {
  headers: Record<string, string>;
  body: object;
}

/**
 * The least that a start can cost in Node: Fastify parses the request, and answers as the service does, with nothing
 * behind it. A process of its own: `ANSWER` is the answer in JSON.
 */
async function main({ headers, body }: Answer): Promise<void> {
  const app = fastify();
  app.post('/api/v1/runtime/session/init', (_, reply) => reply.code(201).headers(headers).send(body));
  console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
}

if (require.main === module) void main(JSON.parse(process.env.ANSWER!) as Answer);
