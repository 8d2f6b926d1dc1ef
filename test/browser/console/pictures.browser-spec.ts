import { mkdirSync, writeFileSync } from 'node:fs';
import { Console } from '../support/console';
import { inEachBrowser } from '../support/stage';
import { twoMonths } from '../support/two-months';

const PICTURES = 'docs/pictures';

inEachBrowser('The pictures of the console', (stage, { name }) => {
  // The pictures of the documentation are written with WRITE_PICTURES=1.
  const onlyOnce = name === 'Chromium' && process.env.WRITE_PICTURES ? it : it.skip;

  onlyOnce(
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
