import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** A definition as text, as far as it can be read. */
export interface ReadText {
  text: string;
  tree: Node | undefined;
  /** What it says; where it is broken, what can be made of it. */
  value: unknown;
  /** What is wrong with the JSON; the first fault, as others follow from it. */
  fault: { offset: number; message: string } | undefined;
}

const MESSAGES: Record<string, string> = {
  InvalidSymbol: 'this is not JSON: texts stand in double quotes',
  InvalidNumberFormat: 'this is not a number',
  PropertyNameExpected: 'a name in double quotes is missing before this',
  ValueExpected: 'a value is missing before this',
  ColonExpected: 'a colon is missing before this',
  CommaExpected: 'a comma is missing before this',
  CloseBraceExpected: 'a closing brace } is missing',
  CloseBracketExpected: 'a closing bracket ] is missing',
  EndOfFileExpected: 'nothing may follow the end of the definition',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfComment: 'JSON has no comments',
  UnexpectedEndOfString: 'a text is not closed by a double quote',
  UnexpectedEndOfNumber: 'a number is incomplete',
  InvalidUnicode: 'this \\u is incomplete',
  InvalidEscapeCharacter: 'a \\ does not stand before this character',
  InvalidCharacter: 'a text has a character that must be escaped, such as \\n',
};

export function readText(text: string): ReadText {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true });
  const read = { text, tree, value: tree && getNodeValue(tree) };
  if (errors.length > 0) {
    const [{ error, offset }] = errors;
    return { ...read, fault: { offset, message: MESSAGES[printParseErrorCode(error)] ?? 'this is not JSON' } };
  }
  try {
    return { ...read, value: JSON.parse(text), fault: undefined };
  } catch {
    return { ...read, fault: { offset: 0, message: 'this is not JSON' } };
  }
}

/** The longest line that an object or a list is written into. */
const WIDTH = 88;
/** The order in which people write what a definition has. Names that are not here follow. */
const ORDER = (
  'entry nodes key type config title body comment options attribute answer is value label ' +
  'offer_id name weight when ways next'
).split(' ');

/** JSON for people: what is short stands on one line, and names stand in the order in which one reads them. */
export function pretty(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const parts = (inner: string) =>
    isList
      ? value.map((item) => pretty(item, inner))
      : Object.entries(value)
          .toSorted(([one], [other]) => rank(one) - rank(other))
          .map(([name, item]) => `${JSON.stringify(name)}: ${pretty(item, inner)}`);
  const [open, close, space] = isList ? ['[', ']', ''] : ['{', '}', ' '];
  const all = parts(`${indent}  `);
  if (all.length === 0) return open + close;
  const line = `${open}${space}${all.join(', ')}${space}${close}`;
  if (indent !== '' && line.length + indent.length <= WIDTH && !line.includes('\n')) return line;
  return `${open}\n${all.map((part) => `${indent}  ${part}`).join(',\n')}\n${indent}${close}`;
}

function rank(name: string): number {
  const index = ORDER.indexOf(name);
  return index < 0 ? ORDER.length : index;
}
