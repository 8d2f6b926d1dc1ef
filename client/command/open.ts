import { spawn } from 'node:child_process';
import { once } from 'node:events';

const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens an address in the browser, where there is one, and returns it. */
export async function openInBrowser(address: string): Promise<string> {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, address], { detached: true, stdio: 'ignore' });
  child.unref();
  // Without a browser, the address is all there is.
  await Promise.race([once(child, 'spawn'), once(child, 'error')]).catch(() => undefined);
  child.on('error', () => undefined);
  return address;
}
