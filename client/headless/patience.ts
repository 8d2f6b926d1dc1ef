import { type Answer, PAUSE_MS } from './service.ts';

export interface Clock {
  /** Milliseconds that only go up. */
  now(): number;
  /** Calls back after that many milliseconds. Returns a function that prevents it. */
  after(milliseconds: number, callback: () => void): () => void;
}

type Send = (signal: AbortSignal) => Promise<Answer>;

/** Waits for answers, but not for ever. `isWanted`: whether a failed request is still worth another try. */
export function createPatience(clock: Clock, isWanted: () => boolean) {
  let timers: (() => void)[] = [];
  let latest: AbortController | undefined;

  function after(milliseconds: number, callback: () => void): () => void {
    const stop = clock.after(milliseconds, callback);
    timers.push(stop);
    return stop;
  }

  /** The answer or, at the limit, the failure `timeout`. */
  async function within(limit: number, send: Send): Promise<Answer> {
    const controller = (latest = new AbortController());
    let stop!: () => void;
    const timeout = new Promise<Answer>((resolve) => {
      stop = after(limit, () => {
        resolve({ reason: 'timeout', pause: PAUSE_MS });
        controller.abort();
      });
    });
    const answer = await Promise.race([timeout, send(controller.signal)]);
    stop();
    return answer;
  }

  return {
    after,
    within,

    /** Tries once more after a failure that may pass, if the time allows it. */
    async persist(limit: number, deadline: number, send: Send): Promise<Answer> {
      const left = () => deadline - clock.now();
      const answer = await within(Math.min(limit, left()), send);
      if (answer.body || !isWanted() || !(answer.pause < left())) return answer;
      await new Promise<void>((resolve) => void after(answer.pause, resolve));
      return within(Math.min(limit, left()), send);
    },

    /** Prevents everything that was to happen later. A request under way goes on, without a limit. */
    stop(): void {
      for (const stop of timers) stop();
      timers = [];
    },

    /** Aborts the latest request. */
    abort: () => latest?.abort(),
  };
}
