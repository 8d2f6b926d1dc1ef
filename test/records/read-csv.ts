/** Reads CSV as RFC 4180 has it, and fails for anything else. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let at = text.startsWith('\ufeff') ? 1 : 0;
  while (at < text.length) {
    const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
    cell.lastIndex = at;
    const found = cell.exec(text);
    if (!found) throw new Error(`No CSV: ${text.slice(at, at + 100)}`);
    const [whole, quoted, plain, end] = found;
    rows.at(-1)!.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    at += whole.length;
    if (end === '\r\n' && at < text.length) rows.push([]);
  }
  return rows;
}
