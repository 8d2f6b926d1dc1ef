import { canonicalTag } from '../../../../src/platform/text/languages';
import { guarded, unguarded } from '../../../../src/records/downloads/spreadsheet';
import type { Text } from './texts';

/** Without it, Excel takes UTF-8 for another encoding. */
const BYTE_ORDER_MARK = '\ufeff';

/** A file for a translator: a row for each text, with the original and the language to fill in. */
export function csvOf(texts: Text[], original: string, language: string): string {
  const rows = texts.map((text) => [text.id, text.where, text.original, text.in(language)]);
  const lines = [['id', 'where', original, language], ...rows].map((row) => row.map(cellOf).join(','));
  return BYTE_ORDER_MARK + lines.map((line) => `${line}\r\n`).join('');
}

function cellOf(text: string): string {
  return `"${guarded(text).replaceAll('"', '""')}"`;
}

/** What a file says: the language, and its texts by their ids. */
export interface Translated {
  language: string;
  texts: Map<string, string>;
  /** How many texts have another original by now, or are gone: they are left out. */
  outdated: number;
}

/**
 * Reads what came back from a translator, also with semicolons or tabs. Throws an Error that says what is wrong with
 * it.
 */
export function readCsv(file: string, texts: Text[]): Translated {
  if (file.includes('\ufffd')) throw new Error('The file is not in UTF-8. Save it as “CSV UTF-8”.');
  const plain = file.replace(BYTE_ORDER_MARK, '');
  const delimiter = /^"?id"?([,;\t])/.exec(plain)?.[1];
  if (delimiter === undefined) throw new Error('The file has no header: begin with one that was exported here.');
  const [header, ...rows] = rowsOf(plain, delimiter);
  const language = canonicalTag(header[3] ?? '');
  if (language === undefined) throw new Error('The fourth column has no language tag for its name.');
  const originals = new Map(texts.map(({ id, original }) => [id, original]));
  const known = rows.filter(([id, , original]) => id && normal(originals.get(id)) === normal(original));
  return {
    language,
    texts: new Map(known.map(([id, , , text = '']) => [id, text])),
    outdated: rows.filter(([id]) => id).length - known.length,
  };
}

/** Programs write line breaks in cells in their own way. */
function normal(text: string | undefined): string | undefined {
  return text?.replaceAll('\r\n', '\n');
}

function rowsOf(text: string, delimiter: string): string[][] {
  const rows: string[][] = [[]];
  const cells = text.matchAll(new RegExp(`("(?:[^"]|"")*"|[^${delimiter}\r\n]*)(${delimiter}|\r?\n|$)`, 'g'));
  for (const [whole, cell, end] of cells) {
    if (whole === '') break;
    const plain = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
    rows.at(-1)!.push(unguarded(plain));
    if (end !== delimiter) rows.push([]);
  }
  return rows.filter((row) => row.length > 0);
}
