import { MAX_WAITING } from './batcher';
import { ConcurrencyLimit } from './concurrency-limit';

/** Work that ends when the test says so. */
class Work {
  readonly begun: string[] = [];
  private readonly ends = new Map<string, () => void>();

  constructor(private readonly limit: ConcurrencyLimit) {}

  /** Asks for a slot, with the first letter of the name as the key. */
  ask(name: string): Promise<string> {
    return this.limit.run(name[0], async () => {
      this.begun.push(name);
      await new Promise<void>((resolve) => this.ends.set(name, resolve));
      return `done ${name}`;
    });
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)!();
    await new Promise(setImmediate);
    // With `rests`, the slot is free after what is done with the result.
    await new Promise(setImmediate);
  }
}

describe('ConcurrencyLimit', () => {
  let limit: ConcurrencyLimit;
  let work: Work;
  beforeEach(() => {
    limit = new ConcurrencyLimit(4);
    work = new Work(limit);
  });

  it('runs at most half of its slots for one key, and says how much waits', async () => {
    const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'd1'].map((name) => work.ask(name));
    expect(work.begun).toEqual(['a1', 'a2', 'b1', 'c1']);
    expect(limit.queueLength).toBe(2);
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'd1']) await work.end(name);
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'd1'].map((name) => `done ${name}`));
    expect(limit.queueLength).toBe(0);
  });

  it('lets keys take turns, whoever has more that waits', async () => {
    for (const name of ['x1', 'x2', 'y1', 'y2', 'a1', 'a2', 'a3', 'b1', 'c1']) void work.ask(name);
    for (const name of ['x1', 'x2', 'y1', 'y2']) await work.end(name);
    expect(work.begun.slice(4)).toEqual(['a1', 'b1', 'c1', 'a2']);
  });

  it('lets a key of which more waits begin nothing for as long as it worked, while others have its slots', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      limit = new ConcurrencyLimit(2, { ofKey: 2, rests: true });
      work = new Work(limit);
      for (const name of ['a1', 'a2', 'a3', 'b1']) void work.ask(name);
      jest.advanceTimersByTime(200);
      await work.end('a1');
      expect(work.begun).toEqual(['a1', 'a2', 'b1']);
      await work.end('b1');
      jest.advanceTimersByTime(199);
      expect(work.begun).toHaveLength(3);
      jest.advanceTimersByTime(1);
      expect(work.begun).toEqual(['a1', 'a2', 'b1', 'a3']);
      await work.end('a3');
      // Nothing more waits: the next one begins at once.
      void work.ask('a4');
      expect(work.begun).toHaveLength(5);
    } finally {
      jest.useRealTimers();
    }
  });

  it('gives the slot of failed work to the next', async () => {
    limit = new ConcurrencyLimit(1);
    const failures = ['at once', 'later'].map((how) =>
      limit.run('a', () => {
        if (how === 'at once') throw new Error(how);
        return Promise.reject(new Error(how));
      }),
    );
    await expect(failures[0]).rejects.toThrow('at once');
    await expect(failures[1]).rejects.toThrow('later');
    expect(await limit.run('a', () => Promise.resolve('done'))).toBe('done');
  });

  it('refuses work that waited 3 s with 503, and runs what came later', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const first = ['a1', 'a2'].map((name) => work.ask(name));
      const late = expect(work.ask('a3')).rejects.toMatchObject({ code: 'service_unavailable' });
      jest.advanceTimersByTime(2000);
      void work.ask('a4');
      jest.advanceTimersByTime(1000);
      await work.end('a1');
      await late;
      await work.end('a2');
      expect(await Promise.all(first)).toEqual(['done a1', 'done a2']);
      expect(work.begun).toEqual(['a1', 'a2', 'a4']);
    } finally {
      jest.useRealTimers();
    }
  });

  it(`lets work of ${MAX_WAITING} keys wait, and ${MAX_WAITING} of one key; one more is 503`, async () => {
    const idle = new Promise<void>(() => undefined);
    const full = { code: 'service_unavailable' };
    for (let n = 0; n < MAX_WAITING + 2; n++) void limit.run('a', () => idle);
    await expect(limit.run('a', () => idle)).rejects.toMatchObject(full);
    for (let n = 0; n < MAX_WAITING + 2; n++) void limit.run(`key ${n}`, () => idle);
    expect(limit.queueLength).toBe(2 * MAX_WAITING);
    for (let n = 0; n < 2; n++) void limit.run(`another ${n}`, () => idle).catch(() => undefined);
    await expect(limit.run('one more', () => idle)).rejects.toMatchObject(full);
  });
});
