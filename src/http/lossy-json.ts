/** A rule that a JSON body breaks, and where. */
export interface Violation {
  /** The keys that lead to the place, innermost first: they are pushed on the way back up, so valid bodies cost nothing. */
  path: string[];
  message: string;
}

/** A string, with the colon behind it if it is a key; or a number. */
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d[\d.eE+-]*/g;

/**
 * The first place in valid JSON that `JSON.parse` would change silently: a duplicate key, of which it keeps the last, or a
 * number that it rounds to the nearest double.
 *
 * Parses the text again with markers in it: keys get a unique number in front, and numbers become strings.
 */
export function findLoss(text: string): Violation | undefined {
  let keys = 0;
  const marked = text.replace(TOKEN, (token, string?: string, colon?: string) => {
    if (string === undefined) return `"n${token}"`;
    return colon === undefined ? `"s${string.slice(1)}` : `"${keys++} ${string.slice(1)}:`;
  });
  return findLossIn(JSON.parse(marked));
}

function findLossIn(value: unknown): Violation | undefined {
  if (typeof value === 'string') {
    const number = value.slice(1);
    return value[0] === 's' || isExact(number)
      ? undefined
      : { path: [], message: `can't be stored exactly: it would become ${Number(number)}` };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const seen = new Set<string>();
  for (const [marked, child] of Object.entries(value)) {
    const key = Array.isArray(value) ? marked : marked.slice(marked.indexOf(' ') + 1);
    const found = seen.has(key) ? { path: [], message: 'is given twice' } : findLossIn(child);
    if (found) {
      found.path.push(key);
      return found;
    }
    seen.add(key);
  }
  return undefined;
}

/** Whether a number survives the round trip through a double; the notation (`1.0`, `1e0`) doesn't matter. */
function isExact(number: string): boolean {
  return decimalOf(number) === decimalOf(String(Number(number)));
}

/** A number as its significant digits and a power of ten: the same for `1200`, `1.2e3` and `1200.0`. */
function decimalOf(number: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number)!;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
