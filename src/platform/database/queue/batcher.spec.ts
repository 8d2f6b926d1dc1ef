import { DatabaseError } from 'pg';
import { Batcher, type BatchLimits, MAX_WAITING } from './batcher';

const LIMITS: BatchLimits = { slots: 1, slotsOfKey: 1, keys: 10, items: 100, waitMs: 5000 };
const MISSING = 'session_not_found';

interface Batch {
  groups: number[][];
  /** Ends the batch; with an error, or leaving out the groups at these indexes. */
  end: (error?: Error, leftOut?: number[]) => Promise<void>;
}

/** Commits that end when the test says so. */
class Commits {
  readonly batches: Batch[] = [];
  readonly batcher: Batcher<number, string>;
  /** Replaced by the tests that need it. */
  retry = (_group: number[]): Promise<(string | Error)[]> => Promise.reject(new Error('must not be tried again'));

  constructor(limits: Partial<BatchLimits> = {}, missing?: typeof MISSING) {
    const commit = async (groups: number[][], isRetry: boolean) =>
      isRetry ? [await this.retry(groups[0])] : this.first(groups);
    this.batcher = new Batcher({ ...LIMITS, ...limits }, commit, missing);
  }

  first(groups: number[][]): Promise<((string | Error)[] | undefined)[]> {
    return new Promise((resolve, reject) => {
      const end = async (error?: Error, leftOut: number[] = []) => {
        if (error) reject(error);
        else resolve(groups.map((group, index) => (leftOut.includes(index) ? undefined : group.map(done))));
        await new Promise(setImmediate);
      };
      this.batches.push({ groups, end });
    });
  }

  get groups(): number[][][] {
    return this.batches.map(({ groups }) => groups);
  }

  /** Ends the newest batch. */
  end: Batch['end'] = (...how) => this.batches.at(-1)!.end(...how);
}

const done = (item: number) => `done ${item}`;
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);

/** How Postgres refuses one statement. */
const refusal = () => Object.assign(new DatabaseError('value out of range', 0, 'error'), { code: '22003' });

describe('Batcher', () => {
  let commits: Commits;
  beforeEach(() => {
    commits = new Commits({}, MISSING);
  });

  it('starts at once if nothing is in progress', () => {
    void commits.batcher.submit('a', 1);
    expect(commits.groups).toEqual([[[1]]]);
  });

  it('commits items that arrive during a batch together, in order, by key', async () => {
    const results = [
      commits.batcher.submit('a', 0),
      commits.batcher.submit('a', 1),
      commits.batcher.submit('b', 2),
      commits.batcher.submit('a', 3),
    ];
    expect(commits.batcher.queueLength).toBe(3);
    await commits.end();
    expect(commits.groups).toEqual([[[0]], [[2], [1, 3]]]);
    expect(commits.batcher.queueLength).toBe(0);
    await commits.end();
    expect(await Promise.all(results)).toEqual([0, 1, 2, 3].map(done));
  });

  it('resolves nothing before the commit', async () => {
    let resolved = false;
    void commits.batcher.submit('a', 1).then(() => (resolved = true));
    await new Promise(setImmediate);
    expect(resolved).toBe(false);
    await commits.end();
    expect(resolved).toBe(true);
  });

  it('has one batch of a key in progress at a time, while other keys use the free slots', async () => {
    commits = new Commits({ slots: 2 }, MISSING);
    void commits.batcher.submit('a', 1);
    void commits.batcher.submit('a', 2);
    void commits.batcher.submit('b', 3);
    expect(commits.groups).toEqual([[[1]], [[3]]]);
    await commits.batches[1].end();
    expect(commits.groups).toHaveLength(2);
    await commits.batches[0].end();
    expect(commits.groups).toEqual([[[1]], [[3]], [[2]]]);
  });

  it('has as many batches of a key in progress as its limit says', async () => {
    commits = new Commits({ slots: 3, slotsOfKey: 2, keys: 1, items: 1 }, MISSING);
    for (const item of range(0, 4)) void commits.batcher.submit('a', item);
    expect(commits.groups).toEqual([[[0]], [[1]]]);
    void commits.batcher.submit('b', 9);
    expect(commits.groups).toEqual([[[0]], [[1]], [[9]]]);
    await commits.batches[0].end();
    expect(commits.groups.slice(3)).toEqual([[[2]]]);
  });

  it('tries a group that was left out again, and others go on without it', async () => {
    let finish!: (results: string[]) => void;
    commits.retry = () => new Promise((resolve) => (finish = resolve));
    const held = commits.batcher.submit('held', 1);
    await commits.end(undefined, [0]);
    void commits.batcher.submit('held', 2);
    const other = commits.batcher.submit('other', 3);
    await commits.end();
    expect(await other).toBe('done 3');
    expect(commits.groups).toEqual([[[1]], [[3]]]);
    finish(['late']);
    expect(await held).toBe('late');
  });

  it('refuses the items of a group that is left out again, so that nobody waits for ever', async () => {
    commits.retry = () => Promise.resolve(undefined as never);
    const left = commits.batcher.submit('lost', 1);
    const refused = expect(left).rejects.toMatchObject({ code: MISSING });
    await commits.end(undefined, [0]);
    await refused;
  });

  it('keeps the order of a key: what came later waits until the group that was left out is committed', async () => {
    let finish!: (results: string[]) => void;
    commits.retry = () => new Promise((resolve) => (finish = resolve));
    const first = commits.batcher.submit('held', 1);
    void commits.batcher.submit('held', 2);
    await commits.end(undefined, [0]);
    expect(commits.groups).toEqual([[[1]]]);
    finish(['late']);
    expect(await first).toBe('late');
    await new Promise(setImmediate);
    expect(commits.groups).toEqual([[[1]], [[2]]]);
  });

  it.each([
    ['Postgres refuses the batch', refusal()],
    ['an item makes the process fail', new TypeError('x is not a function')],
  ])('tries each group again by itself when %s, so that only the bad one fails', async (_, error) => {
    commits.retry = ([item]) => (item === 2 ? Promise.reject(new Error('bad')) : Promise.resolve([`again ${item}`]));
    void commits.batcher.submit('first', 0);
    const good = commits.batcher.submit('good', 1);
    const bad = expect(commits.batcher.submit('bad', 2)).rejects.toThrow('bad');
    await commits.end();
    await commits.end(error);
    expect(await good).toBe('again 1');
    await bad;
  });

  it('tries as many groups again at a time as its limit says, and refuses those that waited too long for that', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const again: number[][] = [];
      let finish!: (results: string[]) => void;
      commits.retry = (group) => {
        again.push(group);
        return new Promise((resolve) => (finish = resolve));
      };
      void commits.batcher.submit('other', 0);
      const first = commits.batcher.submit('first', 1);
      const late = expect(commits.batcher.submit('second', 2)).rejects.toMatchObject({ code: 'service_unavailable' });
      await commits.end();
      await commits.end(undefined, [0, 1]);
      expect(again).toEqual([[1]]);
      jest.advanceTimersByTime(5000);
      finish(['done']);
      expect(await first).toBe('done');
      await late;
      expect(again).toEqual([[1]]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('refuses a thousand groups that waited too long to be tried again', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      commits = new Commits({ keys: 1000, items: 1000 }, MISSING);
      let finish!: (results: string[]) => void;
      commits.retry = () => new Promise((resolve) => (finish = resolve));
      const all = range(0, 1000).map((item) => commits.batcher.submit(`key ${item}`, item).catch((error) => error));
      await commits.end(undefined, [0]);
      await commits.end(undefined, range(0, 999));
      jest.advanceTimersByTime(5000);
      finish(['done']);
      const results = await Promise.all(all);
      expect(results[0]).toBe('done');
      expect(new Set(results.slice(1).map(({ code }) => code))).toEqual(new Set(['service_unavailable']));
      void commits.batcher.submit('key 1', 1);
      expect(commits.groups.at(-1)).toEqual([[1]]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('ends a batch with the item that fills it', async () => {
    commits = new Commits({ items: 4 }, MISSING);
    void commits.batcher.submit('first', 0);
    for (const key of ['a', 'b', 'c']) for (const item of range(0, 3)) void commits.batcher.submit(key, item);
    await commits.end();
    expect(commits.groups.at(-1)).toEqual([[0, 1, 2], [0]]);
    await commits.end();
    expect(commits.groups.at(-1)).toEqual([[0, 1, 2], [1]]);
  });

  it('rejects items when the commit throws before its first await, and goes on', async () => {
    commits = new Commits();
    const first = commits.first.bind(commits);
    commits.first = () => {
      throw new Error('thrown at once');
    };
    await expect(commits.batcher.submit('a', 1)).rejects.toThrow('thrown at once');
    commits.first = first;
    const next = commits.batcher.submit('a', 2);
    await commits.end();
    expect(await next).toBe('done 2');
  });

  it('rejects exactly the items of a batch whose connection was lost, and goes on', async () => {
    commits.retry = () => Promise.reject(new Error('the batch may be committed'));
    const failed = expect(commits.batcher.submit('a', 1)).rejects.toThrow('terminated');
    const second = commits.batcher.submit('a', 2);
    await commits.end(new Error('Connection terminated unexpectedly'));
    await failed;
    await commits.end();
    expect(await second).toBe('done 2');
  });

  it('rejects the one item whose result is an error', async () => {
    commits.first = (groups) => Promise.resolve(groups.map((group) => group.map(() => new Error('refused'))));
    await expect(commits.batcher.submit('a', 1)).rejects.toThrow('refused');
  });

  it(`limits a batch to its maximum and a key to ${MAX_WAITING} that wait; one more is 503`, async () => {
    const all = range(0, MAX_WAITING + 1).map((item) => commits.batcher.submit('a', item));
    await expect(commits.batcher.submit('a', -1)).rejects.toMatchObject({ code: 'service_unavailable' });
    while (commits.groups.flat(2).length < all.length) await commits.end();
    await commits.end();
    expect(await Promise.all(all)).toHaveLength(MAX_WAITING + 1);
    expect(Math.max(...commits.groups.flat().map(({ length }) => length))).toBe(LIMITS.items);
    expect(commits.groups.flat(2)).toEqual(range(0, MAX_WAITING + 1));
  });

  it(`limits a batch to its maximum of keys, and lets ${MAX_WAITING} keys wait; one more is 503`, async () => {
    const all = range(0, MAX_WAITING + 1).map((item) => commits.batcher.submit(`key ${item}`, item));
    await expect(commits.batcher.submit('one more', -1)).rejects.toMatchObject({ code: 'service_unavailable' });
    while (commits.groups.flat(2).length < all.length) await commits.end();
    await commits.end();
    await Promise.all(all);
    expect(Math.max(...commits.groups.map(({ length }) => length))).toBe(LIMITS.keys);
  });

  it('rejects items that waited too long with 503, and commits those behind them', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const first = commits.batcher.submit('a', 1);
      const late = expect(commits.batcher.submit('a', 2)).rejects.toMatchObject({ code: 'service_unavailable' });
      jest.advanceTimersByTime(4000);
      const inTime = commits.batcher.submit('a', 3);
      jest.advanceTimersByTime(1000);
      await commits.end();
      await late;
      await commits.end();
      expect(await Promise.all([first, inTime])).toEqual(['done 1', 'done 3']);
    } finally {
      jest.useRealTimers();
    }
  });
});
