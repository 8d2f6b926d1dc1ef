import { Console } from '../support/console';
import { inEachBrowser } from '../support/stage';

/** What a key opens: the address of each page, and its name. */
const PAGES = {
  '/': 'Overview',
  '/flows': 'Flows',
  '/offers': 'Offers',
  '/sessions': 'Sessions',
  '/billing': 'Billing',
  '/comments': 'Comments',
  '/declarations': 'Declarations',
  '/webhooks': 'Webhooks',
  '/changes': 'Changes',
  '/settings': 'Settings',
};
const PATHS = Object.keys(PAGES);
const MENU = Object.values(PAGES);

inEachBrowser('The frame of the console', (stage, { name }) => {
  it('keeps the key for the tab only if that is asked for', async () => {
    const stored = (console: Console) => console.page.evaluate(() => sessionStorage.getItem('retention-flow-api-key'));
    const console = await Console.open(stage);
    await console.signIn(stage.acme.key);
    expect(await stored(console)).toBeNull();
    await console.press('Sign out');
    await console.press('Stay signed in until this tab is closed', 'checkbox');
    await console.signIn(stage.acme.key);
    expect(await stored(console)).toBe(stage.acme.key);
    await console.press('Sign out');
    expect(await stored(console)).toBeNull();
  });

  it('keeps the menu when a page breaks, says so, and opens it again', async () => {
    const console = await Console.signedIn(stage);
    const { page } = console;
    await page.setRequestInterception(true);
    let isBroken = true;
    page.on('request', (request) => {
      const isAsked = isBroken && request.url().includes('/api/v1/public/webhooks');
      const answer = { status: 200, contentType: 'application/json', body: '{"webhooks":[null],"next_cursor":null}' };
      void (isAsked ? request.respond(answer) : request.continue());
    });
    await console.press('Webhooks', 'link');
    await console.untilAt('This page broke');
    expect(await console.looks()).toEqual([]);
    await console.press('Offers', 'link');
    await console.untilAt('Offers');
    await console.press('Webhooks', 'link');
    await console.untilAt('This page broke');
    isBroken = false;
    await console.press('Open it again');
    await console.untilAt('Webhooks');
  });

  it('leads to every page by the keyboard alone, and each says its name to screen readers', async () => {
    const console = await Console.open(stage);
    await console.toKey();
    await console.field('API key');
    await console.page.keyboard.type(stage.acme.key);
    await console.page.keyboard.press('Enter');
    await console.untilAt('Overview');
    for (const title of MENU.slice(1)) {
      await console.tab.untilValue(
        'the focus is at the heading',
        () => console.page.evaluate(() => document.activeElement!.tagName),
        'H1',
      );
      for (let n = 0; (await console.tab.focused()) !== title; n++) {
        if (n > 15) throw new Error(`Shift+Tab does not lead to "${title}"`);
        await console.page.keyboard.down('Shift');
        await console.page.keyboard.press('Tab');
        await console.page.keyboard.up('Shift');
      }
      await console.page.keyboard.press('Enter');
      await console.untilAt(title);
      const shown = `${title} – Retention Flow Console`;
      await console.tab.untilValue('the title', () => console.page.title(), shown);
    }
  });

  it('has a row on a phone, and the whole menu behind its button', async () => {
    const console = await Console.signedIn(stage, '/offers');
    await console.page.setViewport({ width: 360, height: 800 });
    expect(await console.page.$eval('.side', (side) => side.getBoundingClientRect().height)).toBeLessThan(64);
    await console.press('Menu');
    await console.control('button', 'Sign out');
    const hidden = await console.page.$$eval('nav a', (links) =>
      links.filter((link) => link.getBoundingClientRect().right > innerWidth).map((link) => link.innerText),
    );
    expect(hidden).toEqual([]);
    expect(await console.looks()).toEqual([]);
    await console.page.setViewport({ width: 360, height: 800 });
    await console.press('Flows', 'link');
    await console.untilAt('Flows');
    expect(await console.page.$eval('.side nav', (nav) => nav.checkVisibility())).toBe(false);
  });

  it('gives the focus to the heading when the button that had it is gone', async () => {
    const { id } = await stage.acme.flow();
    const console = await Console.signedIn(stage, `/flows/${id}`);
    await console.press('Archive');
    await console.press('Archive now');
    await console.untilText('The flow is archived.');
    await console.tab.untilValue(
      'the focus is at the heading',
      () => console.page.evaluate(() => document.activeElement!.tagName),
      'H1',
    );
  });

  it('keeps a key that is shown once until one is done with it', async () => {
    const console = await Console.signedIn(stage, '/settings');
    await console.press('New API key');
    await console.fill('Name of the key', 'Shown once');
    await console.press('Create');
    await console.untilText('The API key is created', 'dialog');
    await console.page.keyboard.press('Escape');
    await console.page.keyboard.press('Escape');
    expect(await console.text('dialog')).toContain('rf_live_');
    await console.press('Done');
    await console.untilNoText('The API key is created');
  });

  it('lets one skip the menu, and stay where one is', async () => {
    const console = await Console.signedIn(stage, '/offers?status=active');
    const skip = await console.page.waitForSelector('.skip');
    await skip!.focus();
    await console.page.keyboard.press('Enter');
    expect(await console.page.evaluate(() => [document.activeElement!.id, location.hash])).toEqual([
      'main',
      '#/offers?status=active',
    ]);
  });

  it('follows the browser back and forth', async () => {
    const console = await Console.signedIn(stage, '/');
    await console.press('Offers', 'link');
    await console.untilAt('Offers');
    await console.press('Settings', 'link');
    await console.untilAt('Settings');
    await console.page.goBack();
    await console.untilAt('Offers');
    await console.page.goBack();
    await console.untilAt('Overview');
    await console.page.goForward();
    await console.untilAt('Offers');
    expect(await console.page.$eval('[aria-current=page]', (link) => link.textContent)).toBe('Offers');
  });

  it('is at the same page after a reload of each', async () => {
    const console = await Console.open(stage);
    await console.toKey();
    await console.press('Stay signed in until this tab is closed', 'checkbox');
    await console.signIn(stage.acme.key);
    for (const [path, title] of Object.entries(PAGES)) {
      await console.goTo(path);
      await console.untilAt(title);
      await console.page.reload();
      await console.untilAt(title);
    }
    expect(await console.tab.noticed('violation', 'error')).toEqual([]);
  });

  it('brings the page that one is at into sight in the menu of a phone', async () => {
    const console = await Console.signedIn(stage);
    await console.page.setViewport({ width: 360, height: 640 });
    await console.goTo('/settings');
    await console.untilAt('Settings');
    const right = await console.page.$eval('[aria-current=page]', (link) => link.getBoundingClientRect().right);
    expect(right).toBeLessThanOrEqual(360);
  });

  if (name === 'Chromium') {
    it('moves nothing for those who want no motion', async () => {
      const console = await Console.open(stage);
      await console.page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
      await console.signIn(stage.acme.key);
      for (const path of PATHS) {
        await console.goTo(path);
        const moving = await console.page.evaluate(() =>
          [...document.querySelectorAll('*')]
            .filter((one) => {
              const { animationName, transitionDuration } = getComputedStyle(one);
              return animationName !== 'none' || parseFloat(transitionDuration) > 0;
            })
            .map(({ outerHTML }) => outerHTML.slice(0, 100)),
        );
        expect(moving).toEqual([]);
      }
    });
  }
});
