#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { ApiError, ConnectionError, RetentionFlow } from '../src/index.ts';
import { describe, isEmpty } from './describe.ts';
import { FileError, readDocuments, type ReadDocument } from './document.ts';
import { ENVIRONMENT_FILE, exported } from './export.ts';
import { newHostsIn } from './hosts.ts';
import { openInBrowser } from './open.ts';
import { missingOf, type Picture, takePictures } from './pictures.ts';
import packageJson from '../package.json' with { type: 'json' };

const USAGE = `Usage: retention-flow COMMAND

  export                     writes the workspace to standard output, as YAML
      --environment          and what is of one environment to environment.yaml: webhooks, addresses, most settings
  plan FILE... [--prune]     says what apply would change. The exit status is 2 if it would change something
      --json                 as the service answers it
  apply FILE... [--prune]    makes the workspace as the files say: all of it, or nothing
  open                       opens the console
  mcp                        serves the workspace to an assistant (Model Context Protocol), on standard input and output
      --write                with tools that make drafts
      --allow-publish        and one that publishes a draft, with --write
      --personal-data        with ids, addresses and attributes of customers

FILE is YAML or JSON, - is standard input. Several are one document. image: {file: map.png} is a picture beside the file: apply
uploads it. --prune archives the offers and flows, disables the webhooks and deletes the audiences that a
section of the files does not name.

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
      environment: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      'personal-data': { type: 'boolean', default: false },
      'allow-publish': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      version: { type: 'boolean', default: false },
    },
  });
  const [command, ...files] = positionals;
  const takesFiles = command === 'plan' || command === 'apply';
  if (values.help) return print(USAGE);
  if (values.version) return print(`${packageJson.version}\n`);
  if (!command || files.length > 0 !== takesFiles) throw new UsageError(USAGE);
  const { RETENTION_FLOW_URL: baseUrl = 'http://127.0.0.1:3000', RETENTION_FLOW_API_KEY: apiKey } = process.env;
  if (command === 'open') return print(`${await openInBrowser(`${baseUrl.replace(/\/$/, '')}/console`)}\n`);
  if (!apiKey) throw new UsageError('RETENTION_FLOW_API_KEY is not set.\n');
  if (command === 'mcp') {
    // In a file of its own, because it is far larger than the rest.
    const { serveMcp } = await import('./mcp.ts');
    const { write, 'allow-publish': allowPublish, 'personal-data': personalData } = values;
    if (allowPublish && !write) throw new UsageError('--allow-publish needs --write.\n');
    await serveMcp({ baseUrl, apiKey }, { write, allowPublish, personalData });
    return 0;
  }
  const rf = new RetentionFlow({ baseUrl, apiKey });
  if (command === 'export') {
    print(await exported(rf, baseUrl, values.environment));
    if (values.environment) process.stderr.write(`${ENVIRONMENT_FILE} is written.\n`);
    return 0;
  }
  if (!takesFiles) throw new UsageError(USAGE);
  return command === 'plan' ? plan(rf, files, values) : apply(rf, files, values);
}

interface Choices {
  prune: boolean;
  json: boolean;
}

async function plan(rf: RetentionFlow, files: string[], { prune, json }: Choices): Promise<number> {
  const read = await readDocuments(files);
  const pictures = await missingOf(rf, await takePictures(read));
  const changes = await rehearse(rf, read, pictures, prune);
  // A warning is worth no failure.
  const known = await rf.config.get({ environment: true }).catch(() => undefined);
  for (const { host, pointer } of known ? newHostsIn(read.document, known) : []) {
    process.stderr.write(`${read.lineOf(pointer)}: ${pointer} names ${host}, which the workspace does not know yet\n`);
  }
  if (json) for (const { file } of pictures) process.stderr.write(`${file} would be uploaded\n`);
  print(json ? `${JSON.stringify(changes, null, 2)}\n` : describe(changes, pictures, { isDone: false }));
  return isEmpty(changes, pictures) ? 0 : CHANGES;
}

async function apply(rf: RetentionFlow, files: string[], { prune, json }: Choices): Promise<number> {
  const read = await readDocuments(files);
  const pictures = await missingOf(rf, await takePictures(read));
  // A document that the service refuses uploads nothing.
  if (pictures.length > 0) await rehearse(rf, read, pictures, prune);
  for (const { content } of pictures) await rf.images.upload(content);
  const changes = await rf.config.apply(read.document as never, { prune }).catch((error: unknown) => fail(error, read));
  return print(json ? `${JSON.stringify(changes, null, 2)}\n` : describe(changes, pictures, { isDone: true }));
}

/** What the document would change, once these pictures are uploaded. */
function rehearse(rf: RetentionFlow, read: ReadDocument, pictures: Picture[], prune: boolean) {
  const images = pictures.length > 0 ? { images: pictures.map(({ id }) => id).join(',') } : {};
  const query = { dry_run: true, prune, ...images };
  return rf.config.apply(read.document as never, query).catch((error: unknown) => fail(error, read));
}

/** Says of each fault in which line of the file it is. */
function fail(error: unknown, { lineOf }: ReadDocument): never {
  if (!(error instanceof ApiError) || error.fields.length === 0) throw error;
  throw new FileError(
    error.fields.map(({ pointer, message }) => `${lineOf(pointer)}: ${pointer} ${message}`).join('\n'),
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
