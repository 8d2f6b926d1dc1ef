import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { serveFile } from '../../platform/http/files/served-file';

const SCRIPT = 'text/javascript; charset=utf-8';

/** A page gets an update after five minutes. While the service is down, it uses its copy for a week (RFC 5861). */
const FRESH = 'public, max-age=300, stale-while-revalidate=86400, stale-if-error=604800';
/** RFC 8246. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/**
 * Serves the widget to pages of any site: `/widget/v1.js`, and the same under a name with its hash, for pages that pin
 * it with Subresource Integrity. `/widget/v1.json` has both names and hashes. There is no limit by address: a response
 * from memory costs no more than a refusal, and all customers behind one proxy would lose the widget together.
 *
 * @param folder what `web/build.mjs` wrote
 */
export function serveWidget(fastify: FastifyInstance, folder: string): void {
  const serve = (name: string, type: string, content: string | Buffer, cacheControl: string) => {
    const headers = { 'cache-control': cacheControl };
    serveFile(fastify, { path: `/widget/${name}`, type, content: () => content, surface: 'asset', headers });
  };
  const pinned = ['js', 'mjs'].map((extension) => {
    const content = readFileSync(join(folder, `v1.${extension}`));
    const hashed = `v1.${createHash('sha256').update(content).digest('hex').slice(0, 20)}.${extension}`;
    serve(`v1.${extension}`, SCRIPT, content, FRESH);
    serve(hashed, SCRIPT, content, FOR_EVER);
    return { url: `/widget/${hashed}`, integrity: `sha384-${createHash('sha384').update(content).digest('base64')}` };
  });
  serve('v1.d.ts', 'text/plain; charset=utf-8', readFileSync(join(folder, 'v1.d.ts')), FRESH);
  const [script, module] = pinned;
  serve('v1.json', 'application/json', JSON.stringify({ script, module }), 'no-cache');
}
