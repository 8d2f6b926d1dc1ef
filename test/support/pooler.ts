import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** How BackendKeyData begins: its type and its length. The number of the process follows, then a secret. */
const BACKEND_KEY = Buffer.from('K\0\0\0\x0c');

/**
 * Stands before Postgres and says another process number than that of the process behind it, as a pooler does. A
 * connection stays with its session all the same, so that a test can see what was left there.
 */
export async function startPooler(url: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const postgres = connect(Number(port), hostname);
    for (const socket of [client, postgres]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    client.pipe(postgres);
    let hasGreeted = false;
    postgres.on('data', (data: Buffer) => {
      const key = hasGreeted ? -1 : data.indexOf(BACKEND_KEY);
      if (key >= 0) {
        const process = key + BACKEND_KEY.length;
        data.writeInt32BE(data.readInt32BE(process) + 1, process);
        hasGreeted = true;
      }
      client.write(data);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = new URL(url);
  own.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: own.href,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
