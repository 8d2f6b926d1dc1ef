import anyAscii from 'any-ascii';

/** Words are cut to this many characters, in texts and searches alike: Postgres takes 2,046 bytes. */
const MAX_WORD = 100;

/** The most characters of a text that are searched: one that was written may become 18. */
const MAX_FOLDED = 10_000;

/**
 * Scripts whose accents and points don't make another letter to somebody who searches. Those of others are part of the
 * letter.
 */
const WITH_ACCENTS =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}][\p{M}]*/gu;
/** Scripts that put no spaces between words, and Korean, whose words take endings. */
const WITHOUT_SPACES =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々〆';
const RUN = new RegExp(`[${WITHOUT_SPACES}]+|(?:(?![${WITHOUT_SPACES}])[\\p{L}\\p{N}\\p{M}_])+`, 'gu');
const IS_WITHOUT_SPACES = new RegExp(`^[${WITHOUT_SPACES}]`, 'u');

/** A text as it is compared: without accents, in lower case, in the usual width. */
function folded(text: string): string {
  // Most texts. The others take ten times as long.
  // oxlint-disable-next-line no-control-regex
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  const usual = text.normalize('NFKC').slice(0, MAX_FOLDED);
  // The last letter of a Greek word has a form of its own.
  return usual.replaceAll(WITH_ACCENTS, unaccented).toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

function unaccented(letter: string): string {
  const plain = letter.normalize('NFD').replaceAll(/\p{M}/gu, '');
  // Letters such as ø and ß have no accent to take away.
  return /^\p{Script=Latin}/u.test(plain) ? anyAscii(plain) : plain;
}

/** What is looked for: words of sentences; or any part of names and numbers, `-` and quotation marks included. */
type By = 'words' | 'parts';

/** The words of a text, in their order; what is found by any part of it is a list of its characters. */
function runsOf(text: string, by: By): (string | string[])[] {
  if (by === 'parts') return Array.from(folded(text).matchAll(/\S+/gu), ([run]) => [...run]);
  return Array.from(folded(text).matchAll(RUN), ([run]) =>
    IS_WITHOUT_SPACES.test(run) ? [...run] : [...run].slice(0, MAX_WORD).join(''),
  );
}

/** A word as Postgres reads it in a `tsvector` and a `tsquery`. */
function quoted(word: string): string {
  return `'${word.replaceAll(/['\\]/g, '$&$&')}'`;
}

/**
 * A `tsvector` of a text, as Postgres reads it, with the id of its workspace as one of the words. Each
 * character and each pair of neighbours is a word in a script without spaces, and in a text that is found by its parts.
 */
export function wordsOf(workspaceId: string, text: string, by: By = 'words'): string {
  const places = new Map<string, number[]>();
  let place = 0;
  const add = (word: string, at: number) => {
    const known = places.get(word);
    if (known) known.push(at);
    else places.set(word, [at]);
  };
  for (const run of runsOf(text, by)) {
    if (typeof run === 'string') add(run, ++place);
    else {
      for (const [index, character] of run.entries()) {
        add(character, ++place);
        if (index + 1 < run.length) add(character + run[index + 1], place);
      }
    }
  }
  const words = Array.from(places, ([word, at]) => `${quoted(word)}:${at.join(',')}`);
  return [quoted(workspaceId), ...words].join(' ');
}

/** The pieces of a search: a phrase in quotes, or what stands between spaces; each perhaps with a `-` before it. */
const PIECES = /(-?)(?:"([^"]*)"?|([^\s"]+))/gu;

/**
 * A `tsquery` for texts of a workspace with all words of a search: `"a b"` is a phrase, `a or b` either, `-a` without
 * it. Or with all parts that stand between its spaces. Undefined if the search has neither.
 */
export function searchFor(workspaceId: string, search: string, by: By = 'words'): string | undefined {
  const ways: string[][] = [[]];
  if (by === 'parts') ways[0].push(...runsOf(search, by).map((run) => phraseOf([run])));
  else {
    for (const [, minus, phrase, word] of search.matchAll(PIECES)) {
      const sought = phraseOf(runsOf(phrase ?? word, by));
      if (minus === '' && word?.toLowerCase() === 'or') ways.push([]);
      else if (sought !== '') ways.at(-1)!.push(minus ? `!(${sought})` : sought);
    }
  }
  const either = ways.filter((all) => all.length > 0).map((all) => `(${all.join(' & ')})`);
  return either.length > 0 ? `${quoted(workspaceId)} & (${either.join(' | ')})` : undefined;
}

/** Words that stand one behind the other. */
function phraseOf(runs: (string | string[])[]): string {
  const words = runs.flatMap((run, index) => {
    if (typeof run === 'string' || run.length === 1) return [run].flat();
    const pairs = run.slice(0, -1).map((character, at) => character + run[at + 1]);
    // What comes behind it comes behind its last character.
    return index === runs.length - 1 ? pairs : [...pairs, run.at(-1)!];
  });
  return words.map(quoted).join(' <-> ');
}
