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
