import { connected } from '../../support/database';
import { ADMIN_API_KEY } from '../../support/environment';
import { until } from '../../faults/support/until';
import { Console } from '../support/console';
import type { Asked, Fault, Front } from '../support/front';
import { inOneBrowser } from '../support/stage';

const SIGN_IN = 'Retention Flow Console';
const REFUSED = "The service does not accept this API key. It is unknown, revoked, expired or the operator's.";
const AWAY = 'The service does not answer. Trying again in a moment.';
const PATHS = ['/', '/flows', '/offers', '/sessions', '/comments', '/webhooks', '/changes', '/settings'];

/** Of the interface only: the page itself always comes. */
const ofInterface = (fault: Fault | undefined) => (asked: Asked) =>
  asked.path.startsWith('/api/') ? fault : undefined;
const problem = (status: number, code: string, headers: Record<string, string> = {}): Fault => ({
  status,
  type: 'application/problem+json',
  body: JSON.stringify({ code, detail: 'No.', request_id: 'r' }),
  headers,
});

inOneBrowser('The console', (stage) => {
  const behind = async (path: string): Promise<[Console, Front]> => {
    const front = await stage.front();
    const console = await Console.signedIn(stage, path, { service: front.url });
    return [console, front];
  };

  it.each([
    ['limits the key', problem(429, 'rate_limited', { 'retry-after': '1' }), 'limits how often you may ask'],
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
      await until('the page says so', async () => (await console.text()).includes('Try again'));
      expect(await console.looks()).toEqual([]);
    } finally {
      await stage.startService();
    }
    await until('the page comes', async () => (await console.text()).includes('First key'));
    await console.untilText('This month');
    await console.untilNoText(AWAY);
    await console.untilNoText('Try again');
  });

  it.each(['revoked', 'expired'])(
    'leads back to the sign-in when the key is %s, and from there to the page that one was at',
    async (how) => {
      const { id, key } = await stage.acme.apiKey({ name: how });
      const console = await Console.signedIn(stage, '/offers', { key });
      // What the page reads itself would lead back, too.
      await console.page.waitForNetworkIdle({ idleTime: 300 });
      if (how === 'revoked') await stage.acme.call('DELETE', `/api/v1/public/api-keys/${id}`);
      else {
        await connected(stage.databaseUrl, (client) =>
          client.query('UPDATE api_keys SET expires_at = now() WHERE id = $1', [id]),
        );
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
    await console.toKey();
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
    await console.toKey();
    await console.press('Stay signed in until this tab is closed', 'checkbox');
    await console.signIn(stage.acme.key);
    front.fault = ofInterface('cut');
    await console.page.reload();
    await console.untilText('The service does not answer yet.');
    expect(await console.looks()).toEqual([]);
    // The page has given up by then, and asks again all the same.
    await until('the page says so', async () => (await console.text()).includes('Try again'));
    front.fault = () => undefined;
    await console.untilAt('Offers');
    front.fault = ofInterface({ status: 404, body: '{}' });
    await console.page.reload();
    await console.control('button', 'Try again');
    await console.press('Sign in another way');
    await console.field('API key');
    expect(await console.page.evaluate(() => sessionStorage.getItem('retention-flow-api-key'))).toBeNull();
  });

  it('forgets a key that is refused after a reload', async () => {
    const { id, key } = await stage.acme.apiKey();
    const console = await Console.open(stage, '/offers');
    await console.toKey();
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
    const console = await Console.open(stage, '/settings', { service: front.url });
    await console.signIn(stage.acme.key);
    await console.untilText('First key');
    await console.page.goto(`${front.url}/console/`);
    await console.untilAt(SIGN_IN);
    expect(console.page.url()).toBe(`${front.url}/console`);
    expect(console.tab.requests.filter((url) => url.startsWith('http') && !url.startsWith(front.url))).toEqual([]);
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
});
