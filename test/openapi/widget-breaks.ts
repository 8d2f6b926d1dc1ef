import ts from 'typescript';

/** What a page gives to the widget. The rest is what it gets. */
const GIVEN = ['Customer', 'FetchCustomerToken', 'Messages', 'ShowOptions', 'FlowAttributes', 'RetentionFlow', 'show'];

interface Member {
  type: string;
  isOptional: boolean;
}

/**
 * What of the widget's types breaks a page that was written for older ones: a name or a field that goes, another type,
 * a field that may be missing now, and a new one that a page has to give.
 */
export function widgetBreaks(older: string, newer: string): string[] {
  const [before, after] = [exportsOf(older), exportsOf(newer)];
  return [...before].flatMap(([name, members]) => {
    const now = after.get(name);
    if (!now) return [`widget: ${name} is gone`];
    const isGiven = GIVEN.includes(name);
    const changed = [...members].flatMap(([field, member]) => {
      const what = `widget: ${name}.${field}`;
      const later = now.get(field);
      if (!later) return [`${what} is gone`];
      if (later.type !== member.type) return [`${what} is ${later.type}, and was ${member.type}`];
      if (isGiven && member.isOptional && !later.isOptional) return [`${what} is required`];
      if (!isGiven && !member.isOptional && later.isOptional) return [`${what} may be missing`];
      return [];
    });
    const asked = [...now].filter(([field, { isOptional }]) => isGiven && !isOptional && !members.has(field));
    return [...changed, ...asked.map(([field]) => `widget: ${name}.${field} is required`)];
  });
}

/** The names that a file of types exports, each with its fields; what has none has one without a name. */
function exportsOf(text: string): Map<string, Map<string, Member>> {
  const file = ts.createSourceFile('v1.d.ts', text, ts.ScriptTarget.Latest, true);
  const printer = ts.createPrinter({ removeComments: true });
  const print = (node: ts.Node) => printer.printNode(ts.EmitHint.Unspecified, node, file).replaceAll(/\s+/g, ' ');
  const isExported = (node: ts.Node): node is ts.DeclarationStatement =>
    ts.canHaveModifiers(node) && !!node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  const membersOf = (node: ts.Node): [string, Member][] => {
    if (!ts.isInterfaceDeclaration(node) && !ts.isClassDeclaration(node))
      return [['', { type: print(node), isOptional: false }]];
    const bases = (node.heritageClauses ?? []).map((clause): [string, Member] => [
      print(clause),
      { type: 'base', isOptional: false },
    ]);
    const own = [...node.members].map((member): [string, Member] => {
      const { type, questionToken } = member as ts.PropertySignature;
      return [
        member.name?.getText() ?? print(member),
        { type: type ? print(type) : print(member), isOptional: !!questionToken },
      ];
    });
    return [...bases, ...own];
  };
  const named = file.statements
    .filter(isExported)
    .map((node) => [node.name!.getText(), new Map(membersOf(node))] as const);
  return new Map(named);
}
