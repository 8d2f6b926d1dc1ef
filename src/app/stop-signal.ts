/**
 * Resolves with the first signal that asks the process to stop. Further ones are ignored: npm, for one, sends a second
 * SIGINT for each Ctrl-C. It listens as soon as this file is loaded: the first process of a container loses a signal
 * that nobody listens to.
 */
export const stopSignal = new Promise<string>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(signal));
});
