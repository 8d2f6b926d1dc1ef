import { mkdirSync, writeFileSync } from 'node:fs';
import { Console } from '../support/console';
import { inOneBrowser } from '../support/stage';
import { twoMonths } from '../support/two-months';

const PICTURES = 'docs/pictures';

inOneBrowser('The pictures of the console', (stage) => {
  // The pictures of the documentation are written with WRITE_PICTURES=1.
  const ifAskedFor = process.env.WRITE_PICTURES ? it : it.skip;

  ifAskedFor(
    'are those of the documentation',
    async () => {
      const { acme, flow } = await twoMonths(stage);
      const console = await Console.signedIn(stage, '/', { key: acme.key });
      const write = async (path: string, file: string, height: number) => {
        await console.page.setViewport({ width: 1280, height });
        await console.goTo(path);
        await console.tab.until('the page is read', () => !document.querySelector('[aria-busy=true]'));
        await console.page.waitForNetworkIdle({ idleTime: 300 });
        await console.page.evaluate(() => document.getAnimations().forEach((animation) => animation.finish()));
        const image = await console.page.screenshot();
        expect(image.length).toBeLessThan(200_000);
        mkdirSync(PICTURES, { recursive: true });
        writeFileSync(`${PICTURES}/${file}`, image);
      };
      await write('/', 'console-overview.png', 900);
      await write(`/flows/${flow.id}`, 'console-flow.png', 1240);
    },
    120_000,
  );
});
