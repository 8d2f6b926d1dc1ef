import { existsSync, readFileSync } from 'node:fs';

/** The rows of tables that name tests in their third column. */
const rows = readFileSync('SECURITY.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| .* \| `(test|src)\//.test(line));

describe('SECURITY.md', () => {
  it('names each of the ten risks once', () => {
    expect(rows.flatMap((row) => /API\d+/.exec(row)?.[0] ?? [])).toEqual(
      Array.from({ length: 10 }, (_, index) => `API${index + 1}`),
    );
  });

  it.each(rows)('names only tests that exist: %s', (row) => {
    const places = row.split('|')[3].split(/; (?=`)/);
    for (const place of places) {
      const [, file, names] = /^ *`(\S+)`:?(.*)$/.exec(place)!;
      expect([file, existsSync(file)]).toEqual([file, true]);
      // “…” stands for a value in the name.
      const text = readFileSync(file, 'utf8').replaceAll(/\$\{[^}]+\}/g, '…');
      for (const [, name] of names.matchAll(/“([^”]+)”/g)) {
        const isThere = [`'${name}'`, `"${name}"`, `\`${name}\``].some((quoted) =>
          text.replaceAll(/\(\s+/g, '(').includes(`(${quoted},`),
        );
        expect([file, name, isThere]).toEqual([file, name, true]);
      }
    }
  });
});
