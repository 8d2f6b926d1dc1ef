import { GroupCommit, MAX_WAITING } from './group-commit';

const BATCH = 100;

/** Commits that end when the test says so. */
class Commits {
  readonly batches: { members: number[]; end: (error?: Error) => void }[] = [];
  /** How often `whenIdle` was called. */
  idle = 0;
  readonly group: GroupCommit<number, string>;

  constructor(lanes: number) {
    const commit = (members: number[]) =>
      new Promise<string[]>((resolve, reject) => {
        const outcomes = members.map((member) => `done ${member}`);
        this.batches.push({ members, end: (error) => (error ? reject(error) : resolve(outcomes)) });
      });
    this.group = new GroupCommit({ lanes, batch: BATCH, waitMs: 5000 }, commit, () => this.idle++);
  }

  get members(): number[][] {
    return this.batches.map(({ members }) => members);
  }

  /** Ends a batch (by default the newest) and lets its continuations run. */
  async end(error?: Error, batch = this.batches.at(-1)!): Promise<void> {
    batch.end(error);
    await new Promise(setImmediate);
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);

describe('GroupCommit', () => {
  let commits: Commits;
  beforeEach(() => {
    commits = new Commits(1);
  });

  it('starts at once if nothing is in progress', () => {
    void commits.group.submit(1);
    expect(commits.members).toEqual([[1]]);
  });

  it('commits members that arrive during a batch together, in order', async () => {
    const outcomes = range(0, 4).map((member) => commits.group.submit(member));
    expect(commits.group.queueLength).toBe(3);
    await commits.end();
    expect(commits.members).toEqual([[0], [1, 2, 3]]);
    await commits.end();
    expect(await Promise.all(outcomes)).toEqual(['done 0', 'done 1', 'done 2', 'done 3']);
  });

  it('resolves nothing before the commit', async () => {
    let resolved = false;
    void commits.group.submit(1).then(() => (resolved = true));
    await new Promise(setImmediate);
    expect(resolved).toBe(false);
    await commits.end();
    expect(resolved).toBe(true);
  });

  it('runs one batch per lane, and the first free lane takes the whole queue', async () => {
    commits = new Commits(2);
    for (const member of range(0, 5)) void commits.group.submit(member);
    expect(commits.members).toEqual([[0], [1]]);
    await commits.end(undefined, commits.batches[0]);
    expect(commits.members).toEqual([[0], [1], [2, 3, 4]]);
  });

  it('frees the lane before an outcome that takes longer than its batch', async () => {
    let late!: (outcome: string) => void;
    const group = new GroupCommit<number, string>({ lanes: 1, batch: BATCH, waitMs: 5000 }, (members) =>
      Promise.resolve(
        members.map((member) => (member ? `done ${member}` : new Promise((resolve) => (late = resolve)))),
      ),
    );
    const first = group.submit(0);
    expect(await group.submit(1)).toBe('done 1');
    late('late');
    expect(await first).toBe('late');
  });

  it('rejects exactly the members of a failed batch, and goes on', async () => {
    const first = commits.group.submit(1);
    const second = commits.group.submit(2);
    const failed = expect(first).rejects.toThrow('connection lost');
    await commits.end(new Error('connection lost'));
    await failed;
    await commits.end();
    expect(await second).toBe('done 2');
  });

  it(`limits a batch to its maximum size and the queue to ${MAX_WAITING} members; one more is 503`, async () => {
    const all = range(0, MAX_WAITING + 1).map((member) => commits.group.submit(member));
    await expect(commits.group.submit(-1)).rejects.toMatchObject({ code: 'service_unavailable' });
    while (commits.members.flat().length < all.length) await commits.end();
    await commits.end();
    expect(await Promise.all(all)).toHaveLength(MAX_WAITING + 1);
    expect(Math.max(...commits.members.map(({ length }) => length))).toBe(BATCH);
    expect(commits.members.flat()).toEqual(range(0, MAX_WAITING + 1));
  });

  it('rejects members that waited too long with 503, and commits those behind them', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const first = commits.group.submit(1);
      const late = expect(commits.group.submit(2)).rejects.toMatchObject({ code: 'service_unavailable' });
      jest.advanceTimersByTime(4000);
      const inTime = commits.group.submit(3);
      jest.advanceTimersByTime(1000);
      await commits.end();
      await late;
      await commits.end();
      expect(await Promise.all([first, inTime])).toEqual(['done 1', 'done 3']);
    } finally {
      jest.useRealTimers();
    }
  });

  it('calls whenIdle when nothing is left to do, and then starts at once again', async () => {
    void commits.group.submit(1);
    void commits.group.submit(2);
    await commits.end();
    expect(commits.idle).toBe(0);
    await commits.end();
    expect(commits.idle).toBe(1);
    void commits.group.submit(3);
    expect(commits.members).toEqual([[1], [2], [3]]);
  });
});
