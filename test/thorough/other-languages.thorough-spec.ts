import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { secretKey } from '../support/customer-token';
import { Receiver, TO_LOOPBACK, type Received } from '../support/receiver';
import { Service, serviceForAll } from '../support/service';

/** What a program does with its input. */
const ran = (command: string, args: string[], env: Record<string, string>, input = '') =>
  new Promise<{ isDone: boolean; stdout: string; stderr: string }>((resolve) => {
    const options = { env: { PATH: process.env.PATH, ...env } };
    const child = execFile(command, args, options, (error, stdout, stderr) =>
      resolve({ isDone: !error, stdout, stderr }),
    );
    // A program that has seen enough doesn't read the rest.
    child.stdin!.on('error', () => undefined).end(input);
  });

const programOf = (document: string, language: string) =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(readFileSync(document, 'utf8'))![1];

describe('The programs of the documents for other languages', () => {
  const service = serviceForAll(() => Service.start(TO_LOOPBACK));

  it.each([
    ['python3', 'py', []],
    ['bash', 'bash', ['--norc']],
  ])('make tokens that the service believes: %s', async (command, language, flags) => {
    const acme = await service.workspace();
    const { slug: flow_slug } = await acme.publishedFlow();
    const { id, key } = await secretKey(acme.client);
    const env = { CUSTOMER_KEY_ID: id, CUSTOMER_KEY_SECRET: key as string, WORKSPACE_ID: acme.id };
    const { stdout, stderr } = await ran(
      command,
      [...flags, '-c', programOf('docs/signed-customers.md', language)],
      env,
    );
    expect(stderr).toBe('');
    const start = { flow_slug, customer_token: stdout.trim() };
    const { body } = await service.client.post('/api/v1/runtime/session/init', start);
    expect((await acme.client.get(`/api/v1/public/sessions/${body.session_id}`)).body).toMatchObject({
      customer_id: 'cus_4711',
      customer: { email: 'ada@example.com', attributes: { plan: 'pro' } },
      customer_verified: true,
    });
  });

  /** Whether a program of docs/webhooks.md takes a request. */
  const verifiers = {
    python3: ({ headers, text }: Received, secret: string) => {
      const call = 'import sys\nprint(verified(json.loads(sys.argv[1]), sys.stdin.buffer.read(), sys.argv[2])["type"])';
      const program = `${programOf('docs/webhooks.md', 'py')}\n${call}`;
      return ran('python3', ['-c', program, JSON.stringify(headers), secret], {}, text);
    },
    bash: ({ headers, text }: Received, secret: string) => {
      const env = {
        ID: String(headers['webhook-id']),
        TIME: String(headers['webhook-timestamp']),
        SIGNATURES: String(headers['webhook-signature']),
        WEBHOOK_SECRET: secret,
      };
      return ran('bash', ['--norc', '-c', programOf('docs/webhooks.md', 'bash')], env, text);
    },
  };

  it('take a webhook that is signed with its secret, while two are valid too, and nothing else', async () => {
    const acme = await service.workspace();
    const receiver = await Receiver.start();
    try {
      const { body: webhook } = await acme.client.post('/api/v1/public/webhooks', { url: receiver.url });
      const path = `/api/v1/public/webhooks/${webhook.id}`;
      const rotated = (await acme.client.post(`${path}/rotate-secret`, {})).body.secret as string;
      await acme.client.post(`${path}/test`, {});
      const [good] = await receiver.untilReceived(1);
      expect(String(good.headers['webhook-signature'])).toMatch(/^v1,\S+ v1,\S+$/);
      const withHeader = (name: string, value: string) => ({ ...good, headers: { ...good.headers, [name]: value } });
      const bad: [Received, string][] = [
        [{ ...good, text: `${good.text} ` }, rotated],
        [good, 'whsec_ux7UO58qWfqLDz1WgLvFtSN3Gno5RgcJH4z2G7xV5Yo='],
        [withHeader('webhook-id', 'another'), rotated],
        [withHeader('webhook-timestamp', '1700000000'), rotated],
        [withHeader('webhook-timestamp', 'a[$(echo here >&2)]'), rotated],
        [withHeader('webhook-signature', 'v1,'), rotated],
        [withHeader('webhook-signature', '*'), rotated],
      ];
      for (const [name, verifies] of Object.entries(verifiers)) {
        for (const secret of [webhook.secret as string, rotated]) {
          expect([name, await verifies(good, secret)]).toEqual([
            name,
            expect.objectContaining({ isDone: true, stderr: '' }),
          ]);
        }
        await Promise.all(
          bad.map(async ([request, secret]) => {
            const { isDone, stderr } = await verifies(request, secret);
            expect([name, request.headers, isDone]).toEqual([name, request.headers, false]);
            expect(stderr).toMatch(name === 'bash' ? /^$/ : /\nValueError: /);
          }),
        );
      }
    } finally {
      await receiver.stop();
    }
  });
});
