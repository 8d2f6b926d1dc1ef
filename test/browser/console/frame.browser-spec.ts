import { ADMIN_API_KEY } from '../../support/environment';
import { until } from '../../faults/support/until';
import { Console } from '../support/console';
import type { Asked, Fault, Front } from '../support/front';
import { inEachBrowser } from '../support/stage';

const SIGN_IN = 'Retention Flow Console';
const REFUSED = "The service does not accept this API key. It is unknown, revoked, expired or the operator's.";
const AWAY = 'The service does not answer. Trying again in a moment.';
const MENU = ['Overview', 'Flows', 'Offers', 'Sessions', 'Comments', 'Webhooks', 'Settings'];
const PATHS = ['/', '/flows', '/offers', '/sessions', '/comments', '/webhooks', '/settings'];
/** The service's recovery may take a few pauses of the page. */
const RECOVERY_MS = 25_000;

/** Of the interface only: the page itself always comes. */
const ofInterface = (fault: Fault | undefined) => (asked: Asked) =>
  asked.path.startsWith('/api/') ? fault : undefined;
const problem = (status: number, code: string, headers: Record<string, string> = {}): Fault => ({
  status,
  type: 'application/problem+json',
  body: JSON.stringify({ code, detail: 'No.', request_id: 'r' }),
  headers,
});

inEachBrowser('The frame of the console', (stage, { name }) => {
  const behind = async (path: string): Promise<[Console, Front]> => {
    const front = await stage.front();
    const console = await Console.signedIn(stage, path, { service: front.url });
    return [console, front];
  };

  it.each([
    ['limits the key', problem(429, 'rate_limited', { 'retry-after': '1' }), 'limits how often this key may ask'],
    ['is too busy', problem(503, 'overloaded', { 'retry-after': '1' }), 'is too busy to answer'],
    ['fails', { status: 502, type: 'text/html', body: '<h1>Bad gateway</h1>' } as const, 'is too busy to answer'],
  ])('says that the service %s, and shows the page as soon as it can', async (_, fault, notice) => {
    const [console, front] = await behind('/');
    front.fault = ofInterface(fault);
    await console.goTo('/settings');
    await console.untilText(notice, '.service-notice');
    front.fault = () => undefined;
    await console.untilText('This month');
    await console.untilText('First key');
    await console.untilNoText(notice);
    expect(await console.text()).not.toContain('Try again');
  });

  it('goes on by itself when the service was away for longer than anybody wants to wait', async () => {
    const console = await Console.signedIn(stage, '/');
    stage.process.signal('SIGKILL');
    await stage.process.ended;
    try {
      await console.goTo('/settings');
      await console.untilText(AWAY);
      // The page has given up by then, and says so at its place.
      await until('the page says so', async () => (await console.text()).includes('Try again'), RECOVERY_MS);
      expect(await console.looks('frame-away')).toEqual([]);
    } finally {
      await stage.startService();
    }
    await until('the page comes', async () => (await console.text()).includes('First key'), RECOVERY_MS);
    await console.untilText('This month');
    await console.untilNoText(AWAY);
    await console.untilNoText('Try again');
  }, 60_000);

  it.each(['revoked', 'expired'])(
    'leads back to the sign-in when the key is %s, and from there to the page that one was at',
    async (how) => {
      const soon = new Date(Date.now() + 4000).toISOString();
      const { id, key } = await stage.acme.apiKey({ name: how, ...(how === 'expired' && { expires_at: soon }) });
      const console = await Console.signedIn(stage, '/offers', { key });
      if (how === 'revoked') await stage.acme.call('DELETE', `/api/v1/public/api-keys/${id}`);
      else {
        const status = async () =>
          (await fetch(`${stage.service}/api/v1/public/workspace`, { headers: { authorization: `Bearer ${key}` } }))
            .status;
        await until('the key is expired', async () => (await status()) === 401, 10_000);
      }
      await console.press('Settings', 'link');
      await console.untilText(REFUSED);
      await console.untilAt(SIGN_IN);
      await console.signIn(stage.acme.key);
      await console.untilAt('Settings');
      expect(await console.text()).not.toContain(REFUSED);
    },
  );

  it.each([
    ['an unknown key', `rf_live_${'0'.repeat(49)}`, REFUSED],
    ["the operator's key", ADMIN_API_KEY, REFUSED],
    ['nonsense', 'kø 🔑', 'Paste the API key'],
    ['no key of this service', '../admin?<script>', REFUSED],
  ])('refuses %s, says why, and takes another', async (_, wrong, said) => {
    const console = await Console.open(stage);
    await console.fill('API key', wrong);
    await console.page.keyboard.press('Enter');
    await console.untilText(said);
    await console.fill('API key', stage.acme.key);
    await console.page.keyboard.press('Enter');
    await console.untilAt('Overview');
  });

  it('signs in again after a reload while the service is away, and can be left', async () => {
    const front = await stage.front();
    const console = await Console.open(stage, '/offers', { service: front.url });
    await console.press('Stay signed in until this tab is closed', 'checkbox');
    await console.signIn(stage.acme.key);
    front.fault = ofInterface('cut');
    await console.page.reload();
    await console.untilText('The service does not answer yet.');
    expect(await console.looks('frame-resuming')).toEqual([]);
    // The page has given up by then, and asks again all the same.
    await until('the page says so', async () => (await console.text()).includes('Try again'), RECOVERY_MS);
    front.fault = () => undefined;
    await console.untilAt('Offers');
    front.fault = ofInterface({ status: 404, body: '{}' });
    await console.page.reload();
    await console.control('button', 'Try again');
    await console.press('Sign out');
    await console.field('API key');
    expect(await console.page.evaluate(() => sessionStorage.getItem('retention-flow-api-key'))).toBeNull();
  }, 60_000);

  it('forgets a key that is refused after a reload', async () => {
    const { id, key } = await stage.acme.apiKey();
    const console = await Console.open(stage, '/offers');
    await console.press('Stay signed in until this tab is closed', 'checkbox');
    await console.signIn(key);
    await stage.acme.call('DELETE', `/api/v1/public/api-keys/${id}`);
    await console.page.reload();
    await console.untilText(REFUSED);
    expect(await console.page.evaluate(() => sessionStorage.getItem('retention-flow-api-key'))).toBeNull();
  });

  it('has the key in no address, storage, document or log, and asks nobody but the service', async () => {
    const { key } = stage.acme;
    const front = await stage.front();
    const console = await Console.open(stage, '/', { service: front.url });
    const printed: string[] = [];
    console.page.on('console', (message) => printed.push(message.text()));
    await console.signIn(key);
    for (const path of PATHS) {
      await console.goTo(path);
      await console.page.waitForNetworkIdle({ idleTime: 100 });
    }
    await console.goTo('/settings');
    await console.fill('Name', 'Acme');
    await console.press('Save');
    await console.untilText('The workspace is saved.');
    const stored = await console.page.evaluate(() =>
      JSON.stringify([
        { ...localStorage },
        Object.entries(sessionStorage).filter(([name]) => !name.startsWith('test:')),
        document.cookie,
        location.href,
        document.documentElement.outerHTML,
        [...document.querySelectorAll('input, textarea')].map((field) => (field as HTMLInputElement).value),
        performance.getEntries().map(({ name }) => name),
      ]),
    );
    const secret = key.slice(12, -4);
    for (const text of [stored, ...printed, ...console.tab.requests]) expect(text).not.toContain(secret);
    const origins = console.tab.requests.filter((url) => url.startsWith('http')).map((url) => new URL(url).origin);
    expect(new Set(origins)).toEqual(new Set([front.url]));
    expect(await console.page.evaluate(() => localStorage.length)).toBe(0);
  });

  it('works under a path of a proxy', async () => {
    const front = await stage.front('/flows');
    const console = await Console.signedIn(stage, '/settings', { service: front.url });
    await console.untilText('First key');
    await console.page.goto(`${front.url}/console/`);
    await console.untilAt(SIGN_IN);
    expect(console.page.url()).toBe(`${front.url}/console`);
    expect(console.tab.requests.filter((url) => url.startsWith('http') && !url.startsWith(front.url))).toEqual([]);
  });

  it('keeps the key for the tab only if that is asked for', async () => {
    const stored = (console: Console) => console.page.evaluate(() => sessionStorage.getItem('retention-flow-api-key'));
    const console = await Console.signedIn(stage);
    expect(await stored(console)).toBeNull();
    await console.press('Sign out');
    await console.press('Stay signed in until this tab is closed', 'checkbox');
    await console.signIn(stage.acme.key);
    expect(await stored(console)).toBe(stage.acme.key);
    await console.press('Sign out');
    expect(await stored(console)).toBeNull();
  });

  it('leads to every page by the keyboard alone, and each says its name to screen readers', async () => {
    const console = await Console.open(stage);
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
    await console.press('Stay signed in until this tab is closed', 'checkbox');
    await console.signIn(stage.acme.key);
    for (const [n, path] of PATHS.entries()) {
      await console.goTo(path);
      await console.untilAt(MENU[n]);
      await console.page.reload();
      await console.untilAt(MENU[n]);
    }
    expect(await console.tab.noticed('violation', 'error')).toEqual([]);
  });

  it.each(['/nothing', '/flows/1/2/3', '//', '/%zz', '/settings/', '/__proto__'])(
    'says of %s that there is no such page',
    async (path) => {
      const console = await Console.signedIn(stage, path);
      await console.untilAt('Not found');
      await console.press('To the overview', 'link');
      await console.untilAt('Overview');
    },
  );

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
