import { GroupCommit, MAX_WAITING } from './group-commit';

const BATCH = 100;

/** A commit that ends when the test says so. */
class Commits {
  readonly batches: { members: number[]; end: (error?: Error) => void }[] = [];
  /** How often nothing was left to do. */
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

  /** Ends a batch, the newest unless told, and lets everybody who waited for that run. */
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

  it('begins at once when nothing is under way', () => {
    void commits.group.submit(1);
    expect(commits.members).toEqual([[1]]);
  });

  it('commits together, in order, those that arrive while a batch is under way', async () => {
    const outcomes = range(0, 4).map((member) => commits.group.submit(member));
    expect(commits.group.queueLength).toBe(3);
    await commits.end();
    expect(commits.members).toEqual([[0], [1, 2, 3]]);
    await commits.end();
    expect(await Promise.all(outcomes)).toEqual(['done 0', 'done 1', 'done 2', 'done 3']);
  });

  it('answers nobody before the commit', async () => {
    let answered = false;
    void commits.group.submit(1).then(() => (answered = true));
    await new Promise(setImmediate);
    expect(answered).toBe(false);
    await commits.end();
    expect(answered).toBe(true);
  });

  it('has as many batches under way as it has lanes, and the first that is free takes all that wait', async () => {
    commits = new Commits(2);
    for (const member of range(0, 5)) void commits.group.submit(member);
    expect(commits.members).toEqual([[0], [1]]);
    await commits.end(undefined, commits.batches[0]);
    expect(commits.members).toEqual([[0], [1], [2, 3, 4]]);
  });

  it('does not keep its lane for an outcome that takes longer than its batch', async () => {
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

  it('tells a failed batch of its failure and nobody else, and goes on', async () => {
    const first = commits.group.submit(1);
    const second = commits.group.submit(2);
    const failed = expect(first).rejects.toThrow('connection lost');
    await commits.end(new Error('connection lost'));
    await failed;
    await commits.end();
    expect(await second).toBe('done 2');
  });

  it(`takes no more than its limit into a batch and lets at most ${MAX_WAITING} wait; one more is 503`, async () => {
    const all = range(0, MAX_WAITING + 1).map((member) => commits.group.submit(member));
    await expect(commits.group.submit(-1)).rejects.toMatchObject({ code: 'service_unavailable' });
    while (commits.members.flat().length < all.length) await commits.end();
    await commits.end();
    expect(await Promise.all(all)).toHaveLength(MAX_WAITING + 1);
    expect(Math.max(...commits.members.map(({ length }) => length))).toBe(BATCH);
    expect(commits.members.flat()).toEqual(range(0, MAX_WAITING + 1));
  });

  it('turns away with 503 whoever has waited too long when their turn comes, and commits those behind them', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const first = commits.group.submit(1);
      const late = expect(commits.group.submit(2)).rejects.toMatchObject({ code: 'service_unavailable' });
      jest.advanceTimersByTime(4000);
      const patient = commits.group.submit(3);
      jest.advanceTimersByTime(1000);
      await commits.end();
      await late;
      await commits.end();
      expect(await Promise.all([first, patient])).toEqual(['done 1', 'done 3']);
    } finally {
      jest.useRealTimers();
    }
  });

  it('says when nothing is left to do, and begins at once again after that', async () => {
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
