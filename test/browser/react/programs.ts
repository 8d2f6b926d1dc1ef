import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { lookInPage } from '../../../client/dialog/look.mjs';
import { forBrowser } from '../../../client/testing/browser/bundling.mjs';
import type { FlowDefinition } from '../../../src/flows/graph/flow-definition';
import type { Flow } from '../support/acme';
import { CANCEL_PAGE } from '../support/host';
import type { Stage } from '../support/stage';
import type { Tab } from '../support/tab';

/** Where each version of React is installed. */
const FOLDERS = { 18: 'test/browser/react/react-18', 19: 'test/browser' };
export type ReactVersion = keyof typeof FOLDERS;

/** The program of a page of the documents, by the name in its first line. */
export function programOf(document: string, name: string): string {
  const block = new RegExp(`\`\`\`\\w+\\n(?://|<!--) ${name.replaceAll('.', '\\.')}( -->)?\\n([^]*?)\`\`\``);
  return block.exec(readFileSync(`docs/${document}`, 'utf8'))![2];
}

interface Program {
  version?: ReactVersion;
  /** Packages in place of others. */
  alias?: Record<string, string>;
  /** Files beside the program, by what imports them. */
  files?: Record<string, string>;
}

/** Files that a program imports, as they are on a disk. */
const beside = (files: Record<string, string>): Plugin => ({
  name: 'beside',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^\./ }, ({ path }) => (path in files ? { path, namespace: 'beside' } : undefined));
    esbuild.onLoad({ filter: /./, namespace: 'beside' }, ({ path }) => ({
      contents: files[path],
      loader: 'tsx',
      resolveDir: __dirname,
    }));
  },
});

/** Bundles a program for a page, with a version of React that tells of every mistake. */
export async function bundled(contents: string, { version = 19, alias, files = {} }: Program = {}): Promise<string> {
  const installed = join(FOLDERS[version], 'node_modules');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: __dirname, loader: 'tsx' },
    alias: {
      '@retention-flow/client/headless': './client/headless/index.ts',
      '@retention-flow/client/react': './client/react/index.ts',
      '@retention-flow/client/testing/browser': './client/testing/browser/index.ts',
      ...forBrowser.alias,
      react: `./${installed}/react`,
      'react-dom': `./${installed}/react-dom`,
      ...alias,
    },
    plugins: [lookInPage, beside(files), ...forBrowser.plugins],
    define: { 'process.env.NODE_ENV': '"development"' },
    jsx: 'automatic',
    bundle: true,
    format: 'esm',
    write: false,
    charset: 'utf8',
  });
  return outputFiles[0].text;
}

/** A program of the documents with the service, the flow and the cancellation page of a test. */
export function inTest(program: string, service: string, { slug }: Flow): string {
  return program
    .replaceAll('https://retention.acme.example', service)
    .replaceAll('leaving-acme-pro-7mzo5t5v', slug)
    .replaceAll(/(https:\/\/acme\.example)?\/account\/cancel/g, CANCEL_PAGE);
}

/** A program that shows its `CancelLink` in a page, in StrictMode. */
export function mounted(program: string, service: string, flow: Flow): string {
  return `import { StrictMode as Strict } from 'react';
    import { createRoot } from 'react-dom/client';
    ${inTest(program, service, flow)}
    createRoot(document.getElementById('root')!).render(<Strict><CancelLink /></Strict>);`;
}

/** A `CancelLink` of the component, with more properties, and what they need before it. */
export const componentWith = (properties = '', before = '') => `
  import { CancelFlow } from '@retention-flow/client/react';
  ${before}
  function CancelLink() {
    return (
      <CancelFlow api="https://retention.acme.example" flow="leaving-acme-pro-7mzo5t5v" cancelUrl="/account/cancel" ${properties}>
        Cancel subscription
      </CancelFlow>
    );
  }`;

/** Opens a page with a program. What React warns of, and what a program throws, is noticed as an error. */
export async function openProgram(
  stage: Stage,
  module: string,
  page: { css?: string; body?: string; csp?: string; connect?: string } = {},
): Promise<Tab> {
  const body = `<div id="root"></div>`;
  const tab = await stage.open({ script: '', body, module: NOTICE + module, ...page }, { widget: false });
  await tab.page.waitForSelector('#root a');
  return tab;
}

/** Writes down what React warns of, as what the page noticed. */
const NOTICE = `console.error = (...what) => dispatchEvent(new ErrorEvent('error', { message: what.join(' ') }));\n`;

/** A flow with every type of node: why, a question, a pause with months, a page of the site's own, a call, confirm. */
export async function fullFlow({ acme }: Stage): Promise<Flow> {
  const pause = { ...PAUSE, terms: { months: [1, 2, 3] } };
  const { id } = await acme.call<{ id: string }>('POST', '/api/v1/public/offers', pause);
  return acme.advancedFlow((call) => definitionOf(id, call), CALL);
}

/** From a page of the site's own, `nps`: who gives a high score is offered a call. */
export const fromScore = (call: string): FlowDefinition['nodes'] => [
  {
    key: 'nps',
    type: 'custom',
    config: { title: 'Would you recommend us?', kind: 'nps', data: { scale: 5 } },
    next: 'who',
  },
  {
    key: 'who',
    type: 'branch',
    config: { ways: [{ when: { all: [{ result: 'nps.score', is: '>=', value: 4 }] }, next: 'call' }] },
    next: 'sure',
  },
  { key: 'call', type: 'offer', config: { offer_id: call }, next: 'sure' },
  { key: 'sure', type: 'confirm', config: { title: 'Cancel now?' } },
];

const PAUSE = {
  name: 'Pause',
  offer_type: 'pause_subscription',
  heading: 'Pause for a while',
  body: 'Nothing is charged until you are back.',
  cta_accept: 'Pause',
  cta_decline: 'No thanks',
  accepted_title: 'See you soon',
};

const CALL = {
  name: 'Call',
  offer_type: 'custom',
  outcome: 'open',
  kind: 'call',
  data: { slots: ['Monday, 10:00', 'Tuesday, 16:00'] },
  heading: 'Talk to us',
  body: 'We call you.',
  cta_accept: 'Call me',
  offer_value: '',
  offer_duration: '',
};

const definitionOf = (pause: string, call: string): FlowDefinition => ({
  entry: 'reason',
  nodes: [
    {
      key: 'reason',
      type: 'survey',
      config: {
        title: 'Why are you leaving?',
        comment: 'optional',
        options: [
          { value: 'price', label: 'Too expensive', next: 'which' },
          { value: 'break', label: 'I need a break', comment_label: 'Until when?', next: 'pause' },
        ],
      },
      next: 'nps',
    },
    {
      key: 'which',
      type: 'survey',
      config: {
        title: 'What is too expensive?',
        multiple: true,
        options: [
          { value: 'price', label: 'The price' },
          { value: 'seats', label: 'The seats' },
        ],
      },
      next: 'nps',
    },
    { key: 'pause', type: 'offer', config: { offer_id: pause }, next: 'nps' },
    ...fromScore(call),
  ],
});
