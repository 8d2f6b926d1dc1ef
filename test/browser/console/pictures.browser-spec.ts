import { mkdirSync, writeFileSync } from 'node:fs';
import { ServiceProcess } from '../../support/service-process';
import { Console } from '../support/console';
import { inOneBrowser } from '../support/stage';

const PICTURES = 'docs/pictures';

inOneBrowser('The pictures of the console', (stage) => {
  // The pictures of the documentation are written with WRITE_PICTURES=1.
  const ifAskedFor = process.env.WRITE_PICTURES ? it : it.skip;

  ifAskedFor(
    'are those of the documentation',
    async () => {
      const filling = ServiceProcess.startCommand(['node', 'dist/src/main.js', 'demo-data'], {
        DATABASE_URL: stage.databaseUrl,
      });
      expect(await filling.ended).toBe(0);
      const { key } = stage.acme;
      const { flows } = await stage.acme.call<{ flows: { id: string }[] }>('GET', '/api/v1/public/flows');

      const console = await Console.signedIn(stage, '/', { key });
      const write = async (path: string, file: string, height: number, prepare?: () => Promise<unknown>) => {
        await console.page.setViewport({ width: 1280, height });
        await console.goTo(path);
        await console.tab.until('the page is read', () => !document.querySelector('[aria-busy=true]'));
        await prepare?.();
        await console.page.waitForNetworkIdle({ idleTime: 300 });
        await console.page.evaluate(() => document.getAnimations().forEach((animation) => animation.finish()));
        const image = await console.page.screenshot();
        expect(image.length).toBeLessThan(200_000);
        mkdirSync(PICTURES, { recursive: true });
        writeFileSync(`${PICTURES}/${file}.png`, image);
      };
      for (const scheme of ['light', 'dark'] as const) {
        await console.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        const suffix = scheme === 'dark' ? '-dark' : '';
        await write('/', `console-overview${suffix}`, 900);
        await write(`/flows/${flows[0].id}`, `console-flow${suffix}`, 1240);
      }
      await console.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
      await write('/webhooks', 'console-webhook-slack', 1100, async () => {
        await console.press('New webhook');
        await console.choose('Who gets the events', 'A channel of Slack');
        await console.fill('URL', 'https://hooks.slack.com/services/T0000/B0000/XXXX');
        await console.press('session.saved', 'checkbox');
        await console.press('session.canceled', 'checkbox');
      });
    },
    120_000,
  );
});
