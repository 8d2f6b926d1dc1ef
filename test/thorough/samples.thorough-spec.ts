import { readFileSync } from 'node:fs';
import * as client from '@retention-flow/client';
import { ADMIN_API_KEY } from '../support/environment';
import { StripeDouble } from '../billing/stripe-double';
import { OwnResources, settingsFor } from '../support/own-resources';
import { Service, serviceForAll } from '../support/service';
import { Shell } from '../support/shell';

interface Operation {
  operationId: string;
  responses: Record<string, unknown>;
  security: Record<string, unknown>[];
  tags: string[];
  'x-codeSamples'?: { lang: string; source: string }[];
}
interface Document {
  info: { description: string };
  paths: Record<string, Record<string, Operation>>;
}

const { info, paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Document;
/** What programs call. The rest is for people in browsers. */
const operations = Object.values(paths)
  .flatMap((item) => Object.values(item))
  .filter(({ security, tags }) => !tags.includes('Sign-in') && !('session' in (security[0] ?? {})));
const samplesIn = (language: string) =>
  operations.flatMap((operation) =>
    operation['x-codeSamples']!.filter(({ lang }) => lang === language).map(
      ({ source }) => [operation.operationId, source, operation] as const,
    ),
  );

/** A program as a function that takes what the program imports and the values that its reader sets. */
type Program = (...values: unknown[]) => Promise<void>;
const AsyncFunction = (async () => {}).constructor as new (...parametersAndBody: string[]) => Program;
const IMPORT = "import { RetentionFlow } from '@retention-flow/client';\n";

/** Lets a customer write something, in a session of their own. */
async function comment(service: Service, flow_slug: string): Promise<void> {
  const { body } = await service.client.post('/api/v1/runtime/session/init', { flow_slug });
  const step = (fields: object) => service.client.post(`/api/v1/runtime/session/${body.session_id}/step`, fields);
  await step({ node_key: 'start', action: 'continue' });
  await step({ node_key: 'reason', action: 'answer', option: 'other', comment: 'Too many clicks.' });
}

/** What a reader sets for an operation, by its name in a shell. */
async function valuesOf(service: Service, operationId = ''): Promise<Record<string, string>> {
  const { tenant, ids, slug } = await OwnResources.of(service, undefined, settingsFor(operationId));
  await comment(service, slug);
  return {
    SERVICE: service.client.baseUrl,
    API: `${service.client.baseUrl}/api/v1`,
    API_KEY: tenant.key,
    ADMIN_API_KEY,
    FLOW_ID: ids.flows,
    FLOW_SLUG: slug,
    OFFER_ID: ids.offers,
    AUDIENCE_ID: ids.audiences,
    IMAGE_ID: ids.images,
    PICTURE: 'docs/pictures/widget.png',
    SLUG: slug,
    SESSION_ID: operationId.startsWith('sessions_') ? ids.sessions : ids.session,
    DECLARATION_ID: ids.declarations,
    PREVIEW_ID: ids.preview,
    CUSTOMER_ID: ids.customers,
    WEBHOOK_ID: ids.webhooks,
    EVENT_ID: ids.events,
    API_KEY_ID: ids['api-keys'],
    CUSTOMER_KEY_ID: ids['customer-keys'],
    WORKSPACE_ID: ids.workspaces,
  };
}

const camelCase = (name: string) =>
  name.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A shell in which curl prints the status after the body. */
async function shellWith(values: Record<string, string>): Promise<Shell> {
  const shell = new Shell();
  await shell.run(String.raw`curl() { command curl -w '\n%{http_code}' "$@"; }`);
  for (const [name, value] of Object.entries(values)) await shell.run(`${name}='${value}'`);
  return shell;
}

describe('The samples of the docs', () => {
  let stripe: StripeDouble;
  const service = serviceForAll(async () => {
    stripe = await StripeDouble.start();
    return Service.start({ STRIPE_API_URL: stripe.url });
  });
  afterAll(() => stripe.stop());

  it('are there for each operation: curl, and JavaScript for all that the client has', () => {
    const ids = (language: string) => samplesIn(language).map(([id]) => id);
    const all = operations.map(({ operationId }) => operationId);
    expect(ids('Shell')).toEqual(all);
    expect(ids('JavaScript')).toEqual(all.filter((id) => !id.startsWith('operation_')));
  });

  it.each(samplesIn('Shell'))('work in bash: %s', async (id, source, { responses }) => {
    const shell = await shellWith(await valuesOf(service, id));
    const output = await shell.run(source);
    await shell.end();
    const expected = Object.keys(responses).filter((status) => status.startsWith('2'));
    expect(expected.map((status) => ({ output, status }))).toContainEqual({
      output,
      status: output.split('\n').at(-1),
    });
  });

  it.each(samplesIn('JavaScript'))('work with the client: %s', async (id, source) => {
    const { SERVICE, ...values } = await valuesOf(service, id);
    const printed: unknown[] = [];
    const given = {
      ...client,
      ...Object.fromEntries(Object.entries(values).map(([name, value]) => [camelCase(name), value])),
      baseUrl: SERVICE,
      picture: new Blob([readFileSync(values.PICTURE)]),
      console: { log: (value: unknown) => printed.push(value) },
    };
    expect(source).toContain(IMPORT);
    await new AsyncFunction(...Object.keys(given), source.replace(IMPORT, ''))(...Object.values(given));
    expect(printed).not.toEqual([]);
    expect(printed).not.toContain(undefined);
  });

  it('begin with three calls that work one after the other', async () => {
    const { SERVICE, API, API_KEY } = await valuesOf(service);
    const shell = await shellWith({ SERVICE, API, API_KEY });
    const [, create, publish, start, ...others] = [...info.description.matchAll(/```sh\n(.+?)```/gs)].map(
      ([, code]) => code,
    );
    expect(others).toEqual([]);
    const answerTo = async (code: string, status: number) => {
      const [, body, printed] = /^(.*)\n(\d+)$/s.exec(await shell.run(code))!;
      expect([printed, body]).toEqual([String(status), body]);
      return JSON.parse(body) as Record<string, unknown>;
    };
    const { id, slug } = await answerTo(create, 201);
    await shell.run(`FLOW_ID='${String(id)}'; FLOW_SLUG='${String(slug)}'`);
    await answerTo(publish, 200);
    expect(await answerTo(start, 201)).toHaveProperty('flow.entry_node');
    await shell.end();
  });
});
