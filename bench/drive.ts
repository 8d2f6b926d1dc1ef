import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Children } from './children';
import type { HttpRequest, Load, LoadResult } from './driver/load';

/** Not counted, before each measurement. */
export const WARMUP_SECONDS = 1;

/** Has the load generator, a process of its own, send requests to a server, or to several processes of it. */
export async function drive(
  { children, folder }: { children: Children; folder: string },
  urls: string[],
  { requests, connections, seconds }: { requests: HttpRequest[]; connections: number; seconds: number },
): Promise<LoadResult> {
  const load: Load = {
    addresses: urls.map((url) => ({ host: new URL(url).hostname, port: Number(new URL(url).port) })),
    connections,
    warmupSeconds: WARMUP_SECONDS,
    seconds,
    requests,
  };
  const file = join(folder, 'load.json');
  writeFileSync(file, JSON.stringify(load));
  return JSON.parse(await children.run(process.execPath, [join(__dirname, 'driver/driver.js'), file])) as LoadResult;
}
