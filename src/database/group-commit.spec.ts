import { DatabaseError } from 'pg';
import { type Committer, GroupCommit, type Limits, MAX_WAITING } from './group-commit';

const LIMITS: Limits = {
  lanes: 1,
  aloneLanes: 1,
  lanesOfKey: 1,
  keys: 10,
  membersOfKey: 100,
  members: 200,
  waitMs: 5000,
};

interface Batch {
  groups: number[][];
  /** Ends the batch; with an error, or leaving out the groups at these indexes. */
  end: (error?: Error, leftOut?: number[]) => Promise<void>;
}

/** Commits that end when the test says so. */
class Commits implements Committer<number, string> {
  readonly batches: Batch[] = [];
  readonly group: GroupCommit<number, string>;
  /** Added for the tests that need it. */
  alone?: (group: number[]) => Promise<(string | Error)[]>;

  constructor(limits: Partial<Limits> = {}) {
    this.group = new GroupCommit({ ...LIMITS, ...limits }, this);
  }

  together(groups: number[][]): Promise<(string[] | undefined)[]> {
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

const done = (member: number) => `done ${member}`;
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);

/** How Postgres refuses one statement. */
const refusal = () => Object.assign(new DatabaseError('value out of range', 0, 'error'), { code: '22003' });

describe('GroupCommit', () => {
  let commits: Commits;
  beforeEach(() => {
    commits = new Commits();
  });

  it('starts at once if nothing is in progress', () => {
    void commits.group.submit('a', 1);
    expect(commits.groups).toEqual([[[1]]]);
  });

  it('commits members that arrive during a batch together, in order, by key', async () => {
    const outcomes = [
      commits.group.submit('a', 0),
      commits.group.submit('a', 1),
      commits.group.submit('b', 2),
      commits.group.submit('a', 3),
    ];
    expect(commits.group.queueLength).toBe(3);
    await commits.end();
    expect(commits.groups).toEqual([[[0]], [[2], [1, 3]]]);
    expect(commits.group.queueLength).toBe(0);
    await commits.end();
    expect(await Promise.all(outcomes)).toEqual([0, 1, 2, 3].map(done));
  });

  it('resolves nothing before the commit', async () => {
    let resolved = false;
    void commits.group.submit('a', 1).then(() => (resolved = true));
    await new Promise(setImmediate);
    expect(resolved).toBe(false);
    await commits.end();
    expect(resolved).toBe(true);
  });

  it('has one batch of a key in progress at a time, while other keys use the free lanes', async () => {
    commits = new Commits({ lanes: 2 });
    void commits.group.submit('a', 1);
    void commits.group.submit('a', 2);
    void commits.group.submit('b', 3);
    expect(commits.groups).toEqual([[[1]], [[3]]]);
    await commits.batches[1].end();
    expect(commits.groups).toHaveLength(2);
    await commits.batches[0].end();
    expect(commits.groups).toEqual([[[1]], [[3]], [[2]]]);
  });

  it('has as many batches of a key in progress as its limit says', async () => {
    commits = new Commits({ lanes: 3, lanesOfKey: 2, keys: 1, membersOfKey: 1 });
    for (const member of range(0, 4)) void commits.group.submit('a', member);
    expect(commits.groups).toEqual([[[0]], [[1]]]);
    void commits.group.submit('b', 9);
    expect(commits.groups).toEqual([[[0]], [[1]], [[9]]]);
    await commits.batches[0].end();
    expect(commits.groups.slice(3)).toEqual([[[2]]]);
  });

  it('lets a group that is left out go alone, and others go on without it', async () => {
    let finish!: (outcomes: string[]) => void;
    commits.alone = () => new Promise((resolve) => (finish = resolve));
    const held = commits.group.submit('held', 1);
    await commits.end(undefined, [0]);
    void commits.group.submit('held', 2);
    const other = commits.group.submit('other', 3);
    await commits.end();
    expect(await other).toBe('done 3');
    expect(commits.groups).toEqual([[[1]], [[3]]]);
    finish(['late']);
    expect(await held).toBe('late');
  });

  it('lets a key go on alone while its members wait, and with others afterwards', async () => {
    const alone: number[][] = [];
    commits.alone = (group) => {
      alone.push(group);
      return new Promise((resolve) => setImmediate(resolve, group.map(done)));
    };
    const first = commits.group.submit('held', 1);
    const second = commits.group.submit('held', 2);
    await commits.end(undefined, [0]);
    expect(await Promise.all([first, second])).toEqual([1, 2].map(done));
    expect(alone).toEqual([[1], [2]]);
    void commits.group.submit('held', 3);
    expect(commits.groups).toEqual([[[1]], [[3]]]);
  });

  it.each([
    ['Postgres refuses the batch', refusal()],
    ['a member makes the process fail', new TypeError('x is not a function')],
  ])('retries each group alone when %s, so that only the bad one fails', async (_, error) => {
    commits.alone = ([member]) =>
      member === 2 ? Promise.reject(new Error('bad')) : Promise.resolve([`alone ${member}`]);
    void commits.group.submit('first', 0);
    const good = commits.group.submit('good', 1);
    const bad = expect(commits.group.submit('bad', 2)).rejects.toThrow('bad');
    await commits.end();
    await commits.end(error);
    expect(await good).toBe('alone 1');
    await bad;
  });

  it('lets as many groups go alone at a time as its limit says, and rejects those that waited too long for that', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const alone: number[][] = [];
      let finish!: (outcomes: string[]) => void;
      commits.alone = (group) => {
        alone.push(group);
        return new Promise((resolve) => (finish = resolve));
      };
      void commits.group.submit('other', 0);
      const first = commits.group.submit('first', 1);
      const late = expect(commits.group.submit('second', 2)).rejects.toMatchObject({ code: 'service_unavailable' });
      await commits.end();
      await commits.end(undefined, [0, 1]);
      expect(alone).toEqual([[1]]);
      jest.advanceTimersByTime(5000);
      finish(['done']);
      expect(await first).toBe('done');
      await late;
      expect(alone).toEqual([[1]]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('rejects a thousand groups that waited too long to go alone', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      commits = new Commits({ keys: 1000, members: 1000 });
      let finish!: (outcomes: string[]) => void;
      commits.alone = () => new Promise((resolve) => (finish = resolve));
      const all = range(0, 1000).map((member) => commits.group.submit(`key ${member}`, member).catch((error) => error));
      await commits.end(undefined, [0]);
      await commits.end(undefined, range(0, 999));
      jest.advanceTimersByTime(5000);
      finish(['done']);
      const outcomes = await Promise.all(all);
      expect(outcomes[0]).toBe('done');
      expect(new Set(outcomes.slice(1).map(({ code }) => code))).toEqual(new Set(['service_unavailable']));
      void commits.group.submit('key 1', 1);
      expect(commits.groups.at(-1)).toEqual([[1]]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('ends a batch with the key that fills it', async () => {
    commits = new Commits({ membersOfKey: 3, members: 4 });
    void commits.group.submit('first', 0);
    for (const key of ['a', 'b', 'c']) for (const member of range(0, 3)) void commits.group.submit(key, member);
    await commits.end();
    expect(commits.groups.at(-1)).toHaveLength(2);
    await commits.end();
    expect(commits.groups.at(-1)).toHaveLength(1);
  });

  it('rejects members when the committer throws before its first await, and goes on', async () => {
    const together = commits.together.bind(commits);
    commits.together = () => {
      throw new Error('thrown at once');
    };
    await expect(commits.group.submit('a', 1)).rejects.toThrow('thrown at once');
    commits.together = together;
    const next = commits.group.submit('a', 2);
    await commits.end();
    expect(await next).toBe('done 2');
  });

  it('rejects exactly the members of a batch whose connection was lost, and goes on', async () => {
    commits.alone = () => Promise.reject(new Error('not to be called: the batch may be committed'));
    const failed = expect(commits.group.submit('a', 1)).rejects.toThrow('terminated');
    const second = commits.group.submit('a', 2);
    await commits.end(new Error('Connection terminated unexpectedly'));
    await failed;
    await commits.end();
    expect(await second).toBe('done 2');
  });

  it('rejects the one member whose outcome is an error', async () => {
    commits.together = (groups) =>
      Promise.resolve(groups.map((group) => group.map(() => new Error('refused') as never)));
    await expect(commits.group.submit('a', 1)).rejects.toThrow('refused');
  });

  it(`limits a batch to its maximum and a line to ${MAX_WAITING} members; one more is 503`, async () => {
    const all = range(0, MAX_WAITING + 1).map((member) => commits.group.submit('a', member));
    await expect(commits.group.submit('a', -1)).rejects.toMatchObject({ code: 'service_unavailable' });
    while (commits.groups.flat(2).length < all.length) await commits.end();
    await commits.end();
    expect(await Promise.all(all)).toHaveLength(MAX_WAITING + 1);
    expect(Math.max(...commits.groups.flat().map(({ length }) => length))).toBe(LIMITS.membersOfKey);
    expect(commits.groups.flat(2)).toEqual(range(0, MAX_WAITING + 1));
  });

  it(`limits a batch to its maximum of keys, and lets ${MAX_WAITING} keys wait; one more is 503`, async () => {
    const all = range(0, MAX_WAITING + 1).map((member) => commits.group.submit(`key ${member}`, member));
    await expect(commits.group.submit('one more', -1)).rejects.toMatchObject({ code: 'service_unavailable' });
    while (commits.groups.flat(2).length < all.length) await commits.end();
    await commits.end();
    await Promise.all(all);
    expect(Math.max(...commits.groups.map(({ length }) => length))).toBe(LIMITS.keys);
  });

  it('rejects members that waited too long with 503, and commits those behind them', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const first = commits.group.submit('a', 1);
      const late = expect(commits.group.submit('a', 2)).rejects.toMatchObject({ code: 'service_unavailable' });
      jest.advanceTimersByTime(4000);
      const inTime = commits.group.submit('a', 3);
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
