import { GroupCommit, MAX_BATCH, MAX_WAITING } from './group-commit';

/** A commit that ends when the test says so. */
class Commits {
  readonly batches: { key: string; members: number[]; end: (error?: Error) => void }[] = [];
  readonly group = new GroupCommit<number, string>(
    (key, members) =>
      new Promise((resolve, reject) => {
        const outcomes = members.map((member) => `${key}${member}`);
        this.batches.push({ key, members, end: (error) => (error ? reject(error) : resolve(outcomes)) });
      }),
  );

  /** Ends the newest batch and lets everybody who waited for that run. */
  async end(error?: Error): Promise<void> {
    this.batches.at(-1)!.end(error);
    await new Promise(setImmediate);
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);

describe('GroupCommit', () => {
  let commits: Commits;
  beforeEach(() => {
    commits = new Commits();
  });

  it('begins at once when nothing is under way', () => {
    void commits.group.submit('a', 1);
    expect(commits.batches).toMatchObject([{ key: 'a', members: [1] }]);
  });

  it('commits together, in order, those that arrive while a batch is under way', async () => {
    const outcomes = range(0, 4).map((member) => commits.group.submit('a', member));
    await commits.end();
    expect(commits.batches.map(({ members }) => members)).toEqual([[0], [1, 2, 3]]);
    await commits.end();
    expect(await Promise.all(outcomes)).toEqual(['a0', 'a1', 'a2', 'a3']);
  });

  it('answers nobody before the commit', async () => {
    let answered = false;
    void commits.group.submit('a', 1).then(() => (answered = true));
    await new Promise(setImmediate);
    expect(answered).toBe(false);
    await commits.end();
    expect(answered).toBe(true);
  });

  it('has one batch of a key under way at a time, and lets keys go side by side', async () => {
    void commits.group.submit('a', 1);
    void commits.group.submit('a', 2);
    void commits.group.submit('b', 3);
    expect(commits.batches).toMatchObject([
      { key: 'a', members: [1] },
      { key: 'b', members: [3] },
    ]);
  });

  it('tells a failed batch of its failure and nobody else, and goes on', async () => {
    const first = commits.group.submit('a', 1);
    const second = commits.group.submit('a', 2);
    const failed = expect(first).rejects.toThrow('connection lost');
    await commits.end(new Error('connection lost'));
    await failed;
    await commits.end();
    expect(await second).toBe('a2');
  });

  it(`takes at most ${MAX_BATCH} into a batch and lets at most ${MAX_WAITING} wait; one more is 503`, async () => {
    const all = range(0, MAX_WAITING + 1).map((member) => commits.group.submit('a', member));
    await expect(commits.group.submit('a', -1)).rejects.toMatchObject({ code: 'service_unavailable' });
    while (commits.batches.flatMap(({ members }) => members).length < all.length) await commits.end();
    await commits.end();
    expect(await Promise.all(all)).toHaveLength(MAX_WAITING + 1);
    expect(Math.max(...commits.batches.map(({ members }) => members.length))).toBe(MAX_BATCH);
    expect(commits.batches.flatMap(({ members }) => members)).toEqual(range(0, MAX_WAITING + 1));
  });

  it('turns away with 503 whoever has waited for 5 s when their turn comes, and commits those behind them', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const first = commits.group.submit('a', 1);
      const late = expect(commits.group.submit('a', 2)).rejects.toMatchObject({ code: 'service_unavailable' });
      jest.advanceTimersByTime(4000);
      const patient = commits.group.submit('a', 3);
      jest.advanceTimersByTime(1000);
      await commits.end();
      await late;
      await commits.end();
      expect(await Promise.all([first, patient])).toEqual(['a1', 'a3']);
    } finally {
      jest.useRealTimers();
    }
  });

  it('begins at once again after it was idle', async () => {
    const first = commits.group.submit('a', 1);
    await commits.end();
    await first;
    void commits.group.submit('a', 2);
    expect(commits.batches.map(({ members }) => members)).toEqual([[1], [2]]);
  });
});
