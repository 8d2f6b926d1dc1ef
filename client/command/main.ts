#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { ApiError, ConnectionError, RetentionFlow } from '../src/index.ts';
import { describe, isEmpty } from './describe.ts';
import { FileError, readDocument, type ReadDocument } from './document.ts';
import { openInBrowser } from './open.ts';
import packageJson from '../package.json' with { type: 'json' };

const USAGE = `Usage: retention-flow COMMAND

  export                 writes the workspace to standard output, as YAML
  plan FILE [--prune]    says what apply would change. The exit status is 2 if it would change something
  apply FILE [--prune]   makes the workspace as the file says: all of it, or nothing
  open                   opens the console
  mcp                    serves the workspace to an assistant (Model Context Protocol), on standard input and output
      --write            with a tool that makes drafts. None publishes
      --personal-data    with ids, addresses and attributes of customers

FILE is YAML or JSON, - is standard input. --prune archives the offers and flows, disables the webhooks and deletes the audiences that a
section of the file does not name.

--version prints the version of the command.

RETENTION_FLOW_URL is the address of the service, RETENTION_FLOW_API_KEY a key of the workspace.
`;

const CHANGES = 2;

/** Something that the caller has to put right. */
class UsageError extends Error {}

async function run(args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      prune: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      'personal-data': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      version: { type: 'boolean', default: false },
    },
  });
  const [command, file, ...others] = positionals;
  const takesFile = command === 'plan' || command === 'apply';
  if (values.help) return print(USAGE);
  if (values.version) return print(`${packageJson.version}\n`);
  if (!command || others.length > 0 || (file === undefined) === takesFile) throw new UsageError(USAGE);
  const { RETENTION_FLOW_URL: baseUrl = 'http://127.0.0.1:3000', RETENTION_FLOW_API_KEY: apiKey } = process.env;
  if (command === 'open') return print(`${await openInBrowser(`${baseUrl.replace(/\/$/, '')}/console`)}\n`);
  if (!apiKey) throw new UsageError('RETENTION_FLOW_API_KEY is not set.\n');
  if (command === 'mcp') {
    // In a file of its own, because it is far larger than the rest.
    const { serveMcp } = await import('./mcp.ts');
    await serveMcp({ baseUrl, apiKey }, { write: values.write, personalData: values['personal-data'] });
    return 0;
  }
  const rf = new RetentionFlow({ baseUrl, apiKey });
  if (command === 'export') {
    return print(stringify(await rf.config.get(), { lineWidth: 0, aliasDuplicateObjects: false }));
  }
  if (!takesFile) throw new UsageError(USAGE);

  const read = await readDocument(file);
  const dry_run = command === 'plan';
  const changes = await rf.config
    .apply(read.document as never, { dry_run, prune: values.prune })
    .catch((error: unknown) => fail(error, read));
  print(describe(changes, { isDone: !dry_run }));
  return dry_run && !isEmpty(changes) ? CHANGES : 0;
}

/** Says of each fault in which line of the file it is. */
function fail(error: unknown, { lineOf }: ReadDocument): never {
  if (!(error instanceof ApiError) || !error.errors?.length) throw error;
  throw new FileError(
    error.errors.map(({ pointer, message }) => `${lineOf(pointer)}: ${pointer} ${message}`).join('\n'),
  );
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

/** What is written of an error: no stack where the message says what to do. */
function messageOf(error: unknown): string {
  if (error instanceof UsageError) return error.message;
  if (error instanceof ApiError) return `${error.status} ${error.code}: ${error.message}\n`;
  if (error instanceof ConnectionError) return `No connection: ${error.message}\n`;
  const isExpected = error instanceof FileError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  return `${isExpected ? (error as Error).message : String((error as Error).stack)}\n`;
}

run(process.argv.slice(2)).then(
  (status) => (process.exitCode = status),
  (error: unknown) => {
    process.stderr.write(messageOf(error));
    process.exitCode = 1;
  },
);
