import { setTimeout as pause } from 'node:timers/promises';

/**
 * The first pause is short, because most things happen at once. Each is longer than the one before: reading takes time
 * from what is waited for.
 */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;
/** Less than Jest allows a test, so that the failure says what was read. */
const LONGEST_MS = 120_000;

/**
 * Reads again and again until something holds of the value, and returns it. Throws after 2 minutes, with the value read
 * last.
 */
export async function until<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  const end = performance.now() + LONGEST_MS;
  for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(ms * 1.5, LONGEST_PAUSE_MS)) {
    const value = await read();
    if (holds(value)) return value;
    if (performance.now() > end) throw new Error(`Waited 2 minutes in vain. Read last: ${JSON.stringify(value)}`);
    await pause(ms);
  }
}
