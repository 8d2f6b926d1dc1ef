import { claimsFor, type SigningKey, tokenOf } from '../support/customer-token';
import { Acme, type Flow } from './support/acme';
import { axeViolations } from './support/axe';
import { inEachBrowser } from './support/stage';
import { Tab } from './support/tab';
import { WORDS } from './support/words';

const BACK = 'https://acme.example/account';
/** Of a phone, of one on its side, and of a desktop at 400 % zoom and more. */
const SIZES = ['360 × 640', '640 × 280', '320 × 256', '256 × 200'];

inEachBrowser('The page of a flow', (stage) => {
  let acme: Acme;
  let flow: Flow;
  let key: SigningKey;

  beforeAll(async () => {
    acme = await Acme.create(stage.service, `${stage.host.origin}/cancel-page?by=service`, {
      allowed_origins: [new URL(BACK).origin],
    });
    flow = await acme.flow();
    const { id, secret } = await acme.call<{ id: string; secret: string }>('POST', '/api/v1/public/customer-keys', {
      name: 'Mails',
      algorithm: 'HS256',
    });
    key = { id, algorithm: 'HS256', key: secret };
  });

  const load = async (query = '') =>
    Tab.open(await stage.context(), `${stage.service}/leave/${flow.slug}${query}`, { widget: false });
  const press = async ({ page }: Tab) => (await page.waitForSelector('button', { visible: true }))!.click();
  const open = async (query = '') => {
    const tab = await load(query);
    await press(tab);
    return tab;
  };

  it('begins no session for a program that opens it, moves, scrolls and presses by script', async () => {
    const { page, requests } = await load('?lang=en');
    await page.waitForSelector('button', { visible: true });
    await page.evaluate(() => {
      document.querySelector('button')!.click();
      for (const type of ['click', 'keydown', 'pointerdown', 'touchstart'])
        document.body.dispatchEvent(new Event(type, { bubbles: true }));
      document.querySelector('button')!.focus();
    });
    await page.mouse.move(100, 100);
    await page.mouse.move(120, 140);
    await page.evaluate(() => scrollTo(0, 100));
    await page.keyboard.press('Tab');
    // A request that one of these had caused would be before this one.
    await page.evaluate(() => fetch('leave.js').then(({ status }) => status));
    expect(requests.filter((url) => url.includes('/api/'))).toEqual([]);
  });

  it.each<[string, (tab: Tab) => Promise<void>]>([
    ['the button', press],
    [
      'the button by its key',
      async ({ page }) => (await page.waitForSelector('button', { visible: true }))!.press('Enter'),
    ],
    [
      'the page beside it',
      async ({ page }) => {
        await page.waitForSelector('button', { visible: true });
        await page.click('h1');
      },
    ],
  ])('begins the flow when the customer presses %s', async (_, pressIt) => {
    const tab = await load('?lang=en');
    await pressIt(tab);
    await tab.untilTitle('Before you go');
    expect(tab.requests.filter((url) => url.endsWith('/init'))).toHaveLength(1);
  });

  it('leads to the cancellation page by its link, without a session', async () => {
    const tab = await load('?lang=en');
    await tab.page.waitForSelector('button', { visible: true });
    await tab.page.click('a[data-flow]');
    await tab.untilAt(`${stage.host.origin}/cancel-page?by=service`);
    expect(tab.requests.filter((url) => url.endsWith('/init'))).toEqual([]);
  });

  it('shows the flow, and leads a customer who cancels to the cancellation page', async () => {
    const tab = await open('?lang=en');
    await tab.untilTitle('Before you go');
    expect(await tab.noticed('violation', 'error')).toEqual([]);
    const elsewhere = tab.requests.filter((url) => !url.startsWith(stage.service));
    expect(elsewhere).toEqual([]);
    await tab.press(WORDS.leave);
    await tab.untilAt(`${stage.host.origin}/cancel-page?by=service`);
  });

  it('knows the customer of the token, and leads one who stays back to where it says', async () => {
    const tab = await open(`?lang=en&token=${tokenOf(key, {}, claimsFor(acme, { sub: 'cus_7', return_to: BACK }))}`);
    await tab.page.setRequestInterception(true);
    let left: (url: string) => void;
    const isLeft = new Promise<string>((resolve) => (left = resolve));
    tab.page.on('request', (request) => {
      const isLeaving = request.isNavigationRequest();
      if (isLeaving) left(request.url());
      const answer = { status: 200, contentType: 'text/html', body: 'Account' };
      void (isLeaving ? request.respond(answer) : request.continue());
    });
    await tab.untilTitle('Before you go');
    await tab.press(WORDS.keep);
    expect(await isLeft).toBe(BACK);
    const [session] = await acme.sessions(flow);
    expect(session).toMatchObject({ customer_id: 'cus_7', status: 'saved' });
  });

  it('stays, where no token says where to go, with the words for who stays, and opens again', async () => {
    const tab = await open('?lang=en');
    await tab.untilTitle('Before you go');
    await tab.press(WORDS.keep);
    await tab.untilTitle(WORDS.thanks);
    await tab.press(WORDS.close);
    await press(tab);
    await tab.untilTitle('Before you go');
  });

  it('lets the customer go where its script is blocked: the link leads to the cancellation page', async () => {
    const page = await (await stage.context()).newPage();
    await page.setRequestInterception(true);
    page.on('request', (request) => void (request.url().endsWith('.js') ? request.abort() : request.continue()));
    await page.goto(`${stage.service}/leave/${flow.slug}?lang=en`);
    expect(await page.$eval('button', (button) => button.checkVisibility())).toBe(false);
    await page.focus('a');
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    expect(page.url()).toBe(`${stage.host.origin}/cancel-page?by=service`);
  });

  it('lets the customer go whose token is no good', async () => {
    const tab = await open('?token=nonsense');
    await tab.untilAt(`${stage.host.origin}/cancel-page?by=service`);
  });

  it.each(SIZES)('can be left in %s, and has nothing that axe finds', async (size) => {
    const [width, height] = size.split(' × ').map(Number);
    const tab = await load('?lang=en');
    await tab.page.setViewport({ width, height });
    expect(await axeViolations(tab.page)).toEqual([]);
    await press(tab);
    await tab.untilTitle('Before you go');
    await tab.settle();
    expect(await axeViolations(tab.page)).toEqual([]);
    expect(await tab.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await tab.press(WORDS.leave);
    await tab.untilAt(`${stage.host.origin}/cancel-page?by=service`);
  });
});
