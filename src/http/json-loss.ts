/** Something that is wrong with a body. */
export interface Fault {
  /** The keys that lead there, innermost first: nothing is allocated on the way down. */
  path: string[];
  message: string;
}

/** A string, with the colon behind it where it is a key; or a number. */
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d[\d.eE+-]*/g;

/**
 * The first place where `JSON.parse` doesn't give what valid JSON says: a key that is given twice in one object, of which
 * it keeps the last, or a number that a double doesn't hold exactly, which it rounds.
 *
 * It parses the text once more with everything told apart by a mark in front: each key by a number of its own, and numbers
 * as strings.
 */
export function findLoss(text: string): Fault | undefined {
  let keys = 0;
  const marked = text.replace(TOKEN, (token, string?: string, colon?: string) => {
    if (string === undefined) return `"n${token}"`;
    return colon === undefined ? `"s${string.slice(1)}` : `"${keys++} ${string.slice(1)}:`;
  });
  return findIn(JSON.parse(marked));
}

function findIn(value: unknown): Fault | undefined {
  if (typeof value === 'string') {
    const number = value.slice(1);
    return value[0] === 's' || isExact(number)
      ? undefined
      : { path: [], message: `can't be held exactly: it would become ${Number(number)}` };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const seen = new Set<string>();
  for (const [marked, child] of Object.entries(value)) {
    const key = Array.isArray(value) ? marked : marked.slice(marked.indexOf(' ') + 1);
    const found = seen.has(key) ? { path: [], message: 'is given twice' } : findIn(child);
    if (found) {
      found.path.push(key);
      return found;
    }
    seen.add(key);
  }
  return undefined;
}

/** Whether a number comes back from a double as it was written, apart from the way it was written. */
function isExact(number: string): boolean {
  return decimalOf(number) === decimalOf(String(Number(number)));
}

/** A number as its significant digits and the power of ten of the last: one form for `1200`, `1.2e3` and `1200.0`. */
function decimalOf(number: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number)!;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
