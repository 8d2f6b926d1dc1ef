import { claimsFor, tokenOf } from '../../support/customer-token';
import type { Flow } from '../support/acme';
import { inEachBrowser } from '../support/stage';
import type { Tab } from '../support/tab';
import { WORDS } from '../support/words';
import { build, type Project, PROJECTS, serve } from './projects';

/** Those that every run of the browser tests builds. `FRAMEWORKS=all` builds all. */
const USUAL = ['sveltekit', 'react-router'];
const projects = PROJECTS.filter(({ name }) => process.env.FRAMEWORKS === 'all' || USUAL.includes(name));

/** Each is built once, for all browsers. */
const builds = new Map<string, Promise<string>>();

function built(project: Project): Promise<string> {
  const building = builds.get(project.name) ?? build(project);
  builds.set(project.name, building);
  return building;
}

inEachBrowser('In a project of', (stage) => {
  describe.each(projects)('$name', (project) => {
    let flow: Flow;
    let site: Awaited<ReturnType<typeof serve>>;

    beforeAll(async () => {
      flow = await stage.acme.flow();
      const workspace = await stage.acme.call<{ id: string }>('GET', '/api/v1/public/workspace');
      const settings = { name: project.name, algorithm: 'HS256' };
      const { id, secret } = await stage.acme.call<{ id: string; secret: string }>(
        'POST',
        '/api/v1/public/customer-keys',
        settings,
      );
      site = await serve(await built(project), {
        'https://retention.acme.example': stage.service,
        'leaving-acme-pro-7mzo5t5v': flow.slug,
        CUSTOMER_TOKEN: tokenOf({ id, algorithm: 'HS256', key: secret }, {}, claimsFor(workspace)),
      });
    });
    afterAll(() => site?.stop());

    const open = async (path: string) => {
      const tab = await stage.openAt(site.origin + path);
      await tab.until('the app is there', () => document.documentElement.dataset.ready === '');
      return tab;
    };
    /** Clicks a link of the app's own, as a script could while the dialog is open. */
    const goTo = async (tab: Tab, name: string) => {
      await tab.page.evaluate((name) => {
        const links = [...document.querySelectorAll<HTMLElement>('nav a')];
        links.find(({ innerText }) => innerText === name)!.click();
      }, name);
      await untilHeading(tab, name);
    };
    const untilHeading = (tab: Tab, heading: string) => {
      // Turbo shows what it remembers of a page until it has come.
      const shown = () => tab.page.evaluate(() => document.querySelector('html:not([aria-busy]) h1')?.textContent);
      return tab.untilValue('the page', shown, heading);
    };

    it('the documented link opens the flow; who cancels arrives, comes back and can do so again', async () => {
      const tab = await open('/account');
      await tab.begin();
      await tab.press(WORDS.proceed);
      await tab.press('Too expensive');
      await tab.press(WORDS.proceed);
      await tab.untilTitle('Stay for half the price');
      await tab.press(WORDS.leave);
      await tab.untilAt(`${site.origin}/account/cancel`);
      await untilHeading(tab, 'Cancel page');
      await tab.back();
      await tab.begin();
      await tab.press(WORDS.keep);
      await tab.untilTitle(WORDS.thanks);
      const sessions = await stage.acme.sessions(flow);
      expect(sessions.map(({ status }) => status).slice(0, 2)).toEqual(['saved', 'canceled']);
      expect(sessions[1]).toMatchObject({ customer_id: 'cus_4711', customer_verified: true });
      expect(await tab.noticed('error', 'unavailable')).toEqual([]);
    });

    it('a link of the router with the same attribute opens the flow, too', async () => {
      const tab = await open('/account');
      await tab.page.click('#routed');
      await tab.untilTitle('Before you go');
      expect(tab.page.url()).toBe(`${site.origin}/account`);
    });

    it('the dialog closes with its page, by "back" and by a change of the route, and opens again', async () => {
      const tab = await open('/');
      await untilHeading(tab, 'Home');
      await goTo(tab, 'Account');
      await tab.begin();
      await tab.page.evaluate(() => history.back());
      await untilHeading(tab, 'Home');
      await tab.untilValue('the dialog', () => tab.title(), undefined);
      await goTo(tab, 'Account');
      await tab.begin();
      await goTo(tab, 'Home');
      await tab.untilValue('the dialog', () => tab.title(), undefined);
      await goTo(tab, 'Account');
      await tab.begin();
      expect(await tab.noticed('error', 'unavailable')).toEqual([]);
      expect(await tab.noticed('closed')).toHaveLength(2);
    });

    if (project.own) {
      it('the React component opens, closes with its page, goes on where it was, and leads who cancels on', async () => {
        const tab = await open('/');
        const begin = async (title: string) => {
          await goTo(tab, 'Own');
          await tab.page.click('main a');
          await tab.untilTitle(title);
        };
        await begin('Before you go');
        await tab.press(WORDS.proceed);
        await tab.untilTitle('Why are you leaving?');
        await tab.page.evaluate(() => history.back());
        await untilHeading(tab, 'Home');
        await tab.untilValue('the dialog', () => tab.title(), undefined);
        await begin('Why are you leaving?');
        await tab.press(WORDS.leave);
        await tab.untilAt(`${site.origin}/account/cancel`);
        await untilHeading(tab, 'Cancel page');
        await tab.page.evaluate(() => history.back());
        await untilHeading(tab, 'Own');
        await tab.untilValue('the dialog', () => tab.title(), undefined);
        expect(await tab.noticed('error')).toEqual([]);
      });
    }

    if (project.file) {
      it('<retention-flow> takes its customer and messages as objects', async () => {
        const tab = await open('/');
        await goTo(tab, 'Element');
        await tab.page.click('main button');
        await tab.untilTitle('Before you go');
        await tab.control('Stay with Acme');
        expect(await stage.acme.sessions(flow)).toContainEqual(expect.objectContaining({ customer_id: 'cus_object' }));
      });
    }
  });
});
