import { newestFirst } from './newest-first';

/** Rows by number, the newest has the largest; each third one has the words. */
function world(rows: number[]) {
  const behind = (from: number) => rows.filter((row) => row < from).toSorted((a, b) => b - a);
  const withWords = (row: number) => row % 3 === 0;
  const asked: string[] = [];
  const search = {
    endOf: (from: number) => (asked.push('end'), Promise.resolve(behind(from).at(9))),
    lookThrough: (from: number, to: number | undefined, take: number) => {
      asked.push('look through');
      const near = behind(from).filter((row) => to === undefined || row >= to);
      return Promise.resolve(near.filter(withWords).slice(0, take));
    },
    lookUp: (from: number, take: number) => {
      asked.push('look up');
      return Promise.resolve(behind(from).filter(withWords).slice(0, take));
    },
  };
  return { search, asked };
}

describe('The newest rows with words', () => {
  const rows = Array.from({ length: 40 }, (_, n) => n);

  it('are found among the next ones alone, if these are enough', async () => {
    const { search, asked } = world(rows);
    expect(await newestFirst(40, 3, search)).toEqual([39, 36, 33]);
    expect(asked).toEqual(['end', 'look through']);
  });

  it('are looked up where the next ones end', async () => {
    const { search, asked } = world(rows);
    expect(await newestFirst(40, 7, search)).toEqual([39, 36, 33, 30, 27, 24, 21]);
    expect(asked).toEqual(['end', 'look through', 'look up']);
  });

  it('are all there are, if there are fewer than are looked through', async () => {
    const { search, asked } = world(rows);
    expect(await newestFirst(8, 7, search)).toEqual([6, 3, 0]);
    expect(asked).not.toContain('look up');
  });

  it('come once, and none is missing, though rows come meanwhile', async () => {
    const { search } = world(rows);
    const { lookThrough } = search;
    search.lookThrough = (...asked) => {
      rows.push(38.5, 37.5, 36.5, 35.5);
      return lookThrough(...asked);
    };
    expect(await newestFirst(40, 7, search)).toEqual([39, 36, 33, 30, 27, 24, 21]);
  });
});
