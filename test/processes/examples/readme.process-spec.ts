import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Databases } from '../../support/databases';
import { ServiceProcess } from '../../support/service-process';
import { Acme } from './customers';

jest.setTimeout(60_000);

describe("The README's program with the client", () => {
  const databases = new Databases();

  afterAll(async () => {
    await ServiceProcess.killAll();
    await databases.dropAll();
  });

  it('publishes a flow, and prints what to apply to those who were saved by it', async () => {
    const address = await ServiceProcess.start({ DATABASE_URL: await databases.create() }).address();
    const acme = await Acme.at(address);
    const program = [...readFileSync('README.md', 'utf8').matchAll(/^```js\n(.*?)^```$/gms)]
      .map(([, code]) => code.replace('http://127.0.0.1:3000', address))
      .find((code) => code.includes('@retention-flow/client'))!;
    const run = () => {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
        env: { PATH: process.env.PATH, ...acme.env },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      return text(child.stdout);
    };
    expect(await run()).toBe('');
    const [{ slug }] = await acme.list('flows');
    const accept = await acme.walkToOffer(acme.signed('4711'), String(slug), 'too_expensive', 'offer_1');
    await accept();
    expect(await run()).toBe('cus_4711 half-price\n');
  });
});
