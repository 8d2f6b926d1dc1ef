import { type Filter, TcpProxy } from './tcp-proxy';

/** How BackendKeyData begins: its type and length. The process number follows. */
const BACKEND_KEY = Buffer.from('K\0\0\0\x0c');

/**
 * A proxy that reports another process number than the process behind it has, as a pooler does. Unlike with a pooler, a
 * connection keeps its session, so that a test can see what was left there.
 */
export async function startPooler(url: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const proxy = await TcpProxy.start(url, newFilter);
  return { url: proxy.url, stop: async () => proxy.close() };
}

function newFilter(): Filter {
  let isChanged = false;
  return (chunk) => {
    const start = isChanged ? -1 : chunk.indexOf(BACKEND_KEY);
    if (start >= 0) {
      const position = start + BACKEND_KEY.length;
      chunk.writeInt32BE(chunk.readInt32BE(position) + 1, position);
      isChanged = true;
    }
    return chunk;
  };
}
