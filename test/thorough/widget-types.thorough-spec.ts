import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

/** A project of a host, strict, with the types as its developers save them. */
const PLAIN = `
import type { Result } from './retention-flow';

const WIDGET = 'https://retention.acme.example/widget/v1.mjs';
const widget = (import(WIDGET) as Promise<typeof import('./retention-flow')>).catch(() => undefined);

export async function cancel(): Promise<Result['outcome'] | undefined> {
  const { show } = (await widget)!;
  // @ts-expect-error: no such option
  await show({ flow: 'a', cancelURL: '/account/cancel' });
  // @ts-expect-error: no flow
  await show({ cancelUrl: '/account/cancel' });
  const customerToken = async () => (await fetch('/token')).text();
  return (await show({ flow: 'a', cancelUrl: '/account/cancel', customerToken })).outcome;
}

document.addEventListener('retention-flow:shown', ({ detail }) => detail.offerId?.trim());
document.querySelector('a')!.customerToken = () => undefined;
document.querySelector('retention-flow')!.messages = { cancel: 'End it' };
// @ts-expect-error: no such message
document.querySelector('retention-flow')!.messages = { end: 'End it' };
`;

const JSX = `
import type { RetentionFlowElement, SavedEvent } from './retention-flow';

export function Cancel({ onSaved }: { onSaved: (event: SavedEvent) => void }) {
  const flow = useRef<RetentionFlowElement>(null);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    link.current!.customerToken = async () => (await fetch('/token')).text();
    flow.current!.addEventListener('retention-flow:saved', onSaved);
    flow.current!.addEventListener('retention-flow:step', ({ detail }) => detail.option?.trim());
  }, []);
  return (
    <p>
      <retention-flow ref={flow} key="a" className="a" flow="a" cancel-url="/cancel" message-cancel="End it" />
      {/* @ts-expect-error: no such scheme */}
      <retention-flow flow="a" color-scheme="pink" />
      {/* @ts-expect-error: no attribute can be a function */}
      <retention-flow flow="a" customer-token={() => 'a.b.c'} />
      {/* @ts-expect-error: no such attribute */}
      <retention-flow slug="a" />
      <a ref={link} href="/cancel" data-retention-flow="a" data-message-cancel="End it">Cancel</a>
      <button onClick={() => flow.current?.show({ flow: 'a' })}>Cancel</button>
    </p>
  );
}
`;

describe('The types of the widget, in a strict project', () => {
  const folder = mkdtempSync(join(tmpdir(), 'retention-flow-types-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** What the compiler says of a program, in a project that has these packages. */
  function faultsOf(file: string, program: string, packages: string[], options: ts.CompilerOptions = {}): string[] {
    const project = mkdtempSync(join(folder, 'project-'));
    for (const name of packages) {
      const path = join(project, 'node_modules', name);
      mkdirSync(dirname(path), { recursive: true });
      const from = ['test/browser/node_modules', 'node_modules'].find((folder) => existsSync(join(folder, name)))!;
      symlinkSync(resolve(from, name), path);
    }
    copyFileSync('web/widget/v1.d.ts', join(project, 'retention-flow.d.ts'));
    writeFileSync(join(project, file), program);
    const compiler = ts.createProgram([join(project, file)], {
      strict: true,
      noEmit: true,
      types: [],
      skipDefaultLibCheck: true,
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      jsx: ts.JsxEmit.ReactJSX,
      ...options,
    });
    return ts.getPreEmitDiagnostics(compiler).map(({ messageText, file, start }) => {
      const line = file ? file.getLineAndCharacterOfPosition(start!).line + 1 : 0;
      return `${file?.fileName} ${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
  }

  it('are those of the module, the links, the element and the events, without a framework', () => {
    expect(faultsOf('plain.ts', PLAIN, [])).toEqual([]);
  });

  it.each([
    ['React', "import { useEffect, useRef } from 'react';", ['@types/react'], {}],
    ['Preact', "import { useEffect, useRef } from 'preact/hooks';", ['preact'], { jsxImportSource: 'preact' }],
  ])('are those of <retention-flow> in the JSX of %s', (_, hooks, packages, options) => {
    expect(faultsOf('cancel.tsx', hooks + JSX, packages, options)).toEqual([]);
  });
});
