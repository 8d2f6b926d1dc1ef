import type { Node } from 'jsonc-parser';

/** The line and column of an offset in a text, counted from 1. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

/** Where that stands which a JSON Pointer names; of what is missing, what it is missing from. */
export function offsetOf(tree: Node | undefined, pointer: string): number {
  let node = tree;
  for (const part of pointer.split('/').slice(1)) {
    const inner = node && childOf(node, part.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (!inner) break;
    node = inner;
  }
  return node?.offset ?? 0;
}

function childOf(node: Node, name: string): Node | undefined {
  if (node.type === 'array') return node.children?.[Number(name)];
  // Of a name that stands twice, the last one counts.
  return node.children?.findLast(({ children }) => children?.[0].value === name)?.children?.[1];
}
