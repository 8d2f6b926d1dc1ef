import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 10;

/** Waits until the condition holds and returns the milliseconds it took. Throws after the deadline. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  deadlineMs = 120_000,
): Promise<number> {
  const begin = performance.now();
  while (!(await condition())) {
    if (performance.now() - begin > deadlineMs) throw new Error(`Waited ${deadlineMs} ms in vain: ${what}`);
    await pause(POLL_MS);
  }
  return Math.round(performance.now() - begin);
}
