import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { createExample } from '../src/app/example/example';
import { migrate } from '../src/platform/database/schema/migrate';
import { API_KEY, StripeDouble } from './billing/stripe-double';
import { billingAt } from './billing/subscriber';
import { secretKey } from './support/customer-token';
import { Databases } from './support/databases';
import { ADMIN_API_KEY } from './support/environment';
import { freePort } from './support/free-port';
import { TO_LOOPBACK } from './support/receiver';
import { Service } from './support/service';
import { Shell } from './support/shell';
import { until } from './support/until';

/** A document, or its section behind `#`. */
function textOf(place: string): string {
  const [file, section] = place.split('#');
  const text = readFileSync(file, 'utf8');
  return section ? text.split(/^## /m).find((part) => part.startsWith(`${section}\n`))! : text;
}

/** The commands of a document, each with the response shown below it, if any. The `npm` commands start all this. */
function commandsOf(place: string): { command: string; response: string }[] {
  const blocks = textOf(place).matchAll(/^```sh\n(.*?)^```\n(?:\n```json\n(.*?)^```\n)?/gms);
  return [...blocks]
    .map(([, command, response = '']) => ({ command, response }))
    .filter(({ command }) => !command.startsWith('npm '));
}

/** A response with its ids, times and slugs replaced by their form, such as the version of a UUID. */
function formOf(json: string): unknown {
  if (json === '') return json;
  const form = json
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-([1-8])[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, '<UUID v$1>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>')
    .replaceAll(/("slug": ?"[a-z-]+)-[a-z0-9]{8}"/g, '$1-<random>"')
    .replaceAll(/whsec_[A-Za-z0-9+/]{43}=|cksec_[\w-]{43}|rf_live_\w{49}/g, '<secret>');
  return JSON.parse(form);
}

/** Each text of the response shown, with the one that came in its place. */
function pairsOf(shown: unknown, came: unknown): [shown: string, came: string][] {
  if (typeof shown === 'string') return [[shown, came as string]];
  return Object.entries(shown ?? {}).flatMap(([key, value]) => pairsOf(value, (came as Record<string, unknown>)[key]));
}

/** What the first start printed. */
interface FirstStart {
  text: string;
  key: string;
}

describe('The commands of a document', () => {
  const databases = new Databases();
  let service: Service;
  let firstStart: FirstStart;
  let shell: Shell;

  const start = async (settings: Record<string, string>): Promise<[Service, FirstStart]> => {
    const url = await databases.create();
    await migrate(url);
    const started = await Service.start({ DATABASE_URL: url, ...settings });
    let printed: FirstStart;
    await createExample(started.app, started.client.baseUrl, 'npm run demo-data', (text, fields) => {
      printed = { text, key: (fields as { api_key: string }).api_key };
    });
    return [started, printed!];
  };
  beforeAll(async () => {
    [service, firstStart] = await start(TO_LOOPBACK);
  });
  beforeEach(() => {
    shell = new Shell();
  });
  afterEach(() => shell.end());
  afterAll(async () => {
    await service.stop();
    await databases.dropAll();
  });

  /** Runs the commands as a reader pastes them: with what the first start printed, then the ids in the responses. */
  const follow = async (place: string, { client }: Service, { text, key }: FirstStart) => {
    const pasted = new Map([
      ['http://127.0.0.1:3000', client.baseUrl],
      ['rf_live_…', key],
      ['ADMIN_API_KEY=…', `ADMIN_API_KEY=${ADMIN_API_KEY}`],
      ['rk_test_…', API_KEY],
      ['leaving-acme-pro-…', /leaving-acme-pro-\w+/.exec(text)![0]],
    ]);
    for (const { command, response } of commandsOf(place)) {
      const line = [...pasted].reduce((text, [shown, own]) => text.replaceAll(shown, own), command);
      const output = await shell.run(line);
      expect([line, formOf(output)]).toEqual([line, formOf(response)]);
      if (response === '') continue;
      for (const [shown, came] of pairsOf(JSON.parse(response), JSON.parse(output))) {
        // The same id in the document is the same id in the responses.
        expect([shown, pasted.get(shown) ?? came]).toEqual([shown, came]);
        if (shown !== came) pasted.set(shown, came);
      }
    }
    expect(pasted.size).toBeGreaterThan(5);
  };

  it.each(['docs/walkthrough.md', 'docs/webhooks.md', 'docs/signed-customers.md', 'docs/deploy.md#Further workspaces'])(
    'get the responses shown: %s',
    (place) => follow(place, service, firstStart),
  );

  it('get the responses shown, with a subscription at Stripe: docs/billing.md', async () => {
    const stripe = await StripeDouble.start();
    const subscription = stripe.add('sub_1Q2w3E', { customer: 'cus_1Q2w3E' });
    const [connected, printed] = await start(billingAt(stripe));
    try {
      await follow('docs/billing.md', connected, printed);
      await until(
        async () => subscription.metadata,
        (metadata) => 'retention_flow_session' in metadata,
      );
    } finally {
      await connected.stop();
      await stripe.stop();
    }
  });

  it('get the responses shown, with the variables of the walkthrough: docs/statistics.md', async () => {
    await shell.run(`API=${service.client.baseUrl}/api/v1; KEY=${firstStart.key}`);
    const commands = commandsOf('docs/statistics.md');
    expect(commands).toHaveLength(1);
    for (const { command, response } of commands) expect(formOf(await shell.run(command))).toEqual(formOf(response));
  });

  it('have a program whose tokens say who the customer is', async () => {
    const [, program] = /^```js\n(.*?)^```$/ms.exec(readFileSync('docs/signed-customers.md', 'utf8'))!;
    const acme = await service.workspace();
    const { slug: flow_slug } = await acme.publishedFlow();
    const { id, key } = await secretKey(acme.client);
    const env = {
      PATH: process.env.PATH,
      CUSTOMER_KEY_ID: id,
      CUSTOMER_KEY_SECRET: key as string,
      WORKSPACE_ID: acme.id,
    };
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { env });
    const customer_token = (await text(child.stdout)).trim();
    const { body } = await service.client.post('/api/v1/runtime/session/init', { flow_slug, customer_token });
    expect((await acme.client.get(`/api/v1/public/sessions/${body.session_id}`)).body).toMatchObject({
      customer_id: 'cus_4711',
      customer: { email: 'ada@example.com', attributes: { plan: 'pro' } },
      customer_verified: true,
    });
  });

  it.each(['docs/runbook.md', 'docs/deploy.md#Postgres'])('have queries that the schema answers: %s', async (place) => {
    const queries = [...textOf(place).matchAll(/^```sql\n((?:SELECT|UPDATE).*?)^```$/gms)].map(([, sql]) => sql);
    expect(queries.length).toBeGreaterThan(0);
    for (const sql of queries) await expect(service.database.query(sql)).resolves.toBeDefined();
  });

  it('have a receiver that takes what is signed with its secret, and nothing else', async () => {
    const [, program] = /^```js\n(.*?)^```$/ms.exec(readFileSync('docs/webhooks.md', 'utf8'))!;
    const port = await freePort();
    const acme = await service.workspace();
    const { body } = await acme.client.post('/api/v1/public/webhooks', { url: `http://127.0.0.1:${port}/` });
    const env = { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRET: body.secret as string };
    const receiver = spawn(process.execPath, ['--input-type=module', '--eval', program], { env });
    try {
      const printed: string[] = [];
      receiver.stdout.on('data', (chunk) => printed.push(String(chunk)));
      const refusal = { method: 'POST', body: '{}', headers: { 'webhook-id': 'id', 'webhook-timestamp': '0' } };
      const post = () => fetch(`http://127.0.0.1:${port}/`, refusal).then(({ status }) => status);
      let status: number | undefined;
      while (status === undefined) status = await post().catch(() => undefined);
      expect(status).toBe(401);

      const offer = await acme.offer();
      const { slug: flow_slug } = await acme.publishedFlow({ offer_ids: [offer.id] });
      const session = '/api/v1/runtime/session';
      const customer = { id: 'cus_4711' };
      const { session_id } = (await service.client.post(`${session}/init`, { flow_slug, customer })).body;
      for (const step of [
        { node_key: 'start', action: 'continue' },
        { node_key: 'reason', action: 'answer', option: 'too_expensive' },
        { node_key: 'offer_1', action: 'accept' },
      ])
        await service.client.post(`${session}/${session_id}/step`, step);
      while (!printed.join('').includes('session.saved cus_4711 Half price')) await once(receiver.stdout, 'data');
    } finally {
      receiver.kill();
    }
  });
});
