import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { programOf } from '../react/programs';

const run = promisify(execFile);

/** A project of a framework's own tools, in the folder of its name. Its build is in `dist`. */
export interface Project {
  name: string;
  /** The heading in docs/widget.md above the block with the cancel link. */
  heading: string;
  /**
   * The file of the component that the block is. The project has a page with `<retention-flow>`, too, whose customer
   * and messages are properties. undefined: there are no components, and the block stands in a page.
   */
  file?: string;
  /** The pages of the project that the script stands in. */
  pages: string[];
  /** The file of the React component, as docs/react.md has it, which the project's page /own shows. */
  own?: string;
}

export const PROJECTS: Project[] = [
  {
    name: 'sveltekit',
    heading: 'SvelteKit',
    file: 'src/CancelLink.svelte',
    pages: ['src/app.html'],
  },
  {
    name: 'react-router',
    heading: 'React Router and Next',
    file: 'src/cancel-link.tsx',
    pages: ['index.html'],
    own: 'src/own-link.tsx',
  },
  {
    name: 'next',
    heading: 'React Router and Next',
    file: 'app/cancel-link.tsx',
    pages: ['app/layout.jsx'],
    own: 'app/own-link.tsx',
  },
  { name: 'vue', heading: 'Vue', file: 'src/CancelLink.vue', pages: ['index.html'] },
  {
    name: 'turbo',
    heading: 'Turbo',
    pages: ['index', 'account', 'cancel'].map((name) => `pages/${name}.html`),
  },
];

const DOCS = 'docs/widget.md';

/** The code of the first block below a heading of the document. */
async function blockBelow(heading: string): Promise<string> {
  const [, code] = new RegExp(`^#+ ${heading}\\n[^]*?\`\`\`\\w+\\n([^]*?)\`\`\``, 'm').exec(
    await readFile(DOCS, 'utf8'),
  )!;
  return code;
}

/** Builds a project with the script and the link as the document has them. Returns the folder of what was built. */
export async function build({ name, heading, file, pages, own }: Project): Promise<string> {
  const folder = join('.cache/frameworks', name);
  await mkdir(folder, { recursive: true });
  await cp(join(__dirname, name), folder, { recursive: true });
  const [script] = (await blockBelow('A link and a script')).split('\n');
  const link = await blockBelow(heading);
  if (file) await writeFile(join(folder, file), link);
  if (own) await writeFile(join(folder, own), programOf('react.md', 'cancel-link.tsx'));
  for (const page of pages) {
    const path = join(folder, page);
    const html = await readFile(path, 'utf8');
    const filled = html.replace(/<!-- script -->|\{\/\* script \*\/\}/, script).replace('<!-- link -->', link);
    await writeFile(path, filled);
  }
  await rm(join(folder, 'dist'), { recursive: true, force: true });
  const packages = own ? [await packed()] : [];
  await run('npm', ['install', '--no-audit', '--no-fund', '--no-save', ...packages], { cwd: folder });
  // The tests' NODE_ENV would build for development.
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  await run('npm', ['run', 'build'], { cwd: folder, env });
  return join(folder, 'dist');
}

let packing: Promise<string> | undefined;

/** The packed client, as somebody installs it who has it from us. */
function packed(): Promise<string> {
  packing ??= run('npm', ['pack', '--silent', '-w', 'client', '--pack-destination', '.cache']).then(({ stdout }) =>
    resolve('.cache', stdout.trim().split('\n').at(-1)!),
  );
  return packing;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.txt': 'text/x-component',
};

/** Serves a folder, as a host of static sites does. In its texts, `words` stand in place of others. */
export async function serve(folder: string, words: Record<string, string>) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.on('request', ({ url }, response) => {
    const { pathname } = new URL(url!, 'http://localhost');
    const respond = async () => {
      const [path, body] = await firstOf(folder, [
        pathname,
        `${pathname}.html`,
        join(pathname, 'index.html'),
        'index.html',
      ]);
      const type = TYPES[extname(path)];
      const sent = type
        ? Object.entries(words).reduce((text, [old, now]) => text.replaceAll(old, now), body.toString())
        : body;
      response.writeHead(200, { 'content-type': type ?? 'application/octet-stream' }).end(sent);
    };
    respond().catch(() => response.writeHead(404).end());
  });
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function firstOf(folder: string, paths: string[]): Promise<[path: string, body: Buffer]> {
  for (const path of paths) {
    const body = await readFile(join(folder, path)).catch(() => undefined);
    if (body) return [path, body];
  }
  throw new Error('There is no such file');
}
