import { existsSync, readFileSync } from 'node:fs';

const rows = readFileSync('SECURITY.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| **API'));

describe('SECURITY.md', () => {
  it('names each of the ten risks once', () => {
    expect(rows.map((row) => /API\d+/.exec(row)![0])).toEqual(
      Array.from({ length: 10 }, (_, index) => `API${index + 1}`),
    );
  });

  it.each(rows)('names only tests that exist: %s', (row) => {
    const places = row.split('|')[3].split(';');
    for (const place of places) {
      const [, file, names] = /^ *`(\S+)`:?(.*)$/.exec(place)!;
      expect([file, existsSync(file)]).toEqual([file, true]);
      const text = readFileSync(file, 'utf8');
      for (const [, name] of names.matchAll(/“([^”]+)”/g)) {
        const isThere = [`'${name}'`, `"${name}"`].some((quoted) =>
          text.replaceAll(/\(\s+/g, '(').includes(`(${quoted},`),
        );
        expect([file, name, isThere]).toEqual([file, name, true]);
      }
    }
  });
});
