import type { BrowserContext, ElementHandle, Page } from 'puppeteer-core';
import { until } from '../../faults/support/until';
import { axeViolations } from './axe';
import type { Person } from './acme';
import type { Stage } from './stage';
import { Tab } from './tab';

const WIDTHS = [1280, 768, 360];

/** The console in a tab, as a person uses it: by what is written on things. */
export class Console {
  private constructor(
    readonly tab: Tab,
    private readonly kind: 'Chromium' | 'Firefox',
  ) {}

  get page(): Page {
    return this.tab.page;
  }

  /** Opens the console where one signs in. `path` is the route behind #. */
  static async open(
    stage: Stage,
    path = '/',
    { context, service = stage.service, key }: { context?: BrowserContext; service?: string; key?: string } = {},
  ) {
    const tab = await Tab.open(context ?? (await stage.context()), 'about:blank', { widget: false });
    await tab.page.setViewport({ width: 1280, height: 900 });
    if (key !== undefined) await tab.page.evaluateOnNewDocument(remember, key);
    await tab.page.goto(`${service}/console#${path}`);
    return new Console(tab, stage.kind.name);
  }

  /**
   * Opens a page, signed in with a key; the one that may write unless given. The key is in the storage of the tab as if
   * one had asked to stay signed in: to type it takes longer than most tests.
   */
  static async signedIn(
    stage: Stage,
    path = '/',
    { key = stage.acme.key, ...options }: { key?: string; service?: string } = {},
  ) {
    const console = await Console.open(stage, path, { key, ...options });
    await console.page.waitForSelector('nav');
    return console;
  }

  /** Opens a page as a person who is signed in. */
  static async as(
    person: Person,
    stage: Stage,
    path = '/',
    options: { context?: BrowserContext; service?: string } = {},
  ) {
    const context = options.context ?? (await stage.context());
    const { hostname } = new URL(stage.service);
    await context.setCookie({ name: 'rf', value: person.cookie, domain: hostname, path: '/' });
    const console = await Console.open(stage, path, { ...options, context });
    await console.page.waitForSelector('nav');
    return console;
  }

  /** Goes from the sign-in of people to that by API key. */
  async toKey(): Promise<void> {
    await this.press('Use an API key instead');
  }

  async signInAs({ email, password }: Person): Promise<void> {
    await this.fill('E-mail', email);
    await this.fill('Password', password);
    await this.press('Sign in');
  }

  async signIn(key: string): Promise<void> {
    await this.control('button', 'Sign in');
    if ((await this.page.$('#key')) === null) await this.toKey();
    await this.fill('API key', key);
    await this.press('Sign in');
    await this.control('button', 'Sign out');
  }

  /** Goes to a page by its address. */
  async goTo(path: string): Promise<void> {
    await this.page.evaluate((path) => (location.hash = path), path);
  }

  /**
   * Waits for something by its role and the name that a screen reader says: `button`, `link`, `textbox`, `heading` …
   */
  async control(role: string, name: string): Promise<ElementHandle<HTMLElement>> {
    const selector = `::-p-aria([name="${name}"][role="${role}"])`;
    return (await this.page.waitForSelector(selector, {
      visible: true,
    })) as ElementHandle<HTMLElement>;
  }

  /**
   * Waits for a button and presses it; `role` for a link, tab, checkbox. Presses again if the click did not get there:
   * a page that is drawn anew after the button was found takes it away, or moves it.
   */
  async press(name: string, role = 'button'): Promise<void> {
    await until(`the ${role} "${name}" is pressed`, async () => {
      const control = await this.control(role, name);
      try {
        const click = await control.evaluateHandle((control) => {
          const click = { arrived: false };
          const see = (event: Event) => (click.arrived ||= event.composedPath().includes(control));
          addEventListener('click', see, { capture: true });
          control.scrollIntoView({ block: 'center' });
          return click;
        });
        await control.click();
        // A click that leads to another page takes its handle with it.
        return await click.evaluate(({ arrived }) => arrived).catch(() => true);
      } catch (error) {
        const isOutOfSight = (error as Error).message.includes('not clickable');
        if (!isOutOfSight && (await control.evaluate((control) => control.isConnected).catch(() => false))) throw error;
        return false;
      }
    });
  }

  /** Writes into the field with a label, in place of what it has. */
  async fill(label: string, text: string): Promise<void> {
    const field = await this.field(label);
    await field.focus();
    await field.evaluate((field) => field.select());
    await this.page.keyboard.press('Backspace');
    await this.page.keyboard.type(text);
  }

  /** Chooses an option of a select by its text. */
  async choose(label: string, option: string): Promise<void> {
    const select = await this.field(label);
    const valueOf = () =>
      select.evaluate(
        (select, option) =>
          [...(select as Element as HTMLSelectElement).options].find(({ text }) => text === option)?.value,
        option,
      );
    // Some options are read from the service first.
    let value: string | undefined;
    await until(`the option "${option}" of ${label}`, async () => (value = await valueOf()) !== undefined);
    await select.select(value!);
  }

  /** Waits for the field with a label. */
  async field(label: string): Promise<ElementHandle<HTMLInputElement>> {
    let field: ElementHandle<HTMLInputElement> | null = null;
    await until(`the field "${label}"`, async () => {
      const handle = await this.page.evaluateHandle((name) => {
        const label = [...document.querySelectorAll('label')].find(
          (one) => one.innerText.trim() === name && one.checkVisibility(),
        );
        return label?.control ?? null;
      }, label);
      return (field = handle.asElement() as typeof field) !== null;
    });
    return field!;
  }

  /** What the page shows. */
  text(selector = 'body'): Promise<string> {
    return this.page.$eval(selector, (one) => (one as HTMLElement).innerText);
  }

  /** Waits until the page shows a text. */
  async untilText(text: string, selector?: string): Promise<void> {
    let shown = '';
    await until(`"${text}" is shown`, async () =>
      (shown = await this.text(selector).catch(() => '')).includes(text),
    ).catch((error: Error) => {
      throw new Error(`${error.message}. Shown is: ${shown}`);
    });
  }

  /** Waits until the page shows a text no longer. */
  async untilNoText(text: string, selector?: string): Promise<void> {
    // What it is in may be drawn anew.
    await until(`"${text}" is gone`, async () => !(await this.text(selector).catch(() => text)).includes(text));
  }

  /** Waits until the heading of the page is this. */
  async untilAt(title: string): Promise<void> {
    await this.tab.untilValue(`the page "${title}"`, () => this.text('h1'), title);
  }

  /** Waits until the frame of a preview shows a title. */
  async untilFramed(title: string): Promise<void> {
    const read = async () => {
      const frame = await (await this.page.waitForSelector('.preview-frame'))!.contentFrame();
      return frame!.evaluate(
        () => document.querySelector('retention-flow')?.shadowRoot?.querySelector('[part~=title]')?.textContent,
      );
    };
    await this.tab.untilValue('the title in the frame', read, title);
  }

  /** What is wrong with how the page looks at this width: what sticks out sideways, errors. `[]` is well. */
  private async faults(): Promise<string[]> {
    const noticed = await this.tab.noticed('violation', 'error');
    const wide = await this.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    return [...(wide > 0 ? [`${wide} px too wide`] : []), ...noticed.map((one) => JSON.stringify(one))];
  }

  /**
   * The faults at all widths, and what axe finds, which is the same in any browser: on a phone in the light, and on a
   * wide screen in the dark.
   */
  async looks(): Promise<string[]> {
    const all: string[] = [];
    const examine = async (how: string, find: () => Promise<string[]>) => {
      // Axe takes a label for a hidden one that a dialog has scrolled away. A window that has got smaller scrolls to the
      // field with the focus, some frames later.
      await this.page.evaluate(async () => {
        for (let frames = 0; frames < 5; frames++) await new Promise(requestAnimationFrame);
        for (const one of document.querySelectorAll('dialog[open], dialog[open] *')) one.scrollTop = 0;
      });
      all.push(...(await find()).map((fault) => `${how}: ${fault}`));
    };
    for (const width of WIDTHS) {
      await this.page.setViewport({ width, height: 900 });
      await examine(`at ${width} px`, () => this.faults());
    }
    if (this.kind === 'Chromium') {
      await examine('axe on a phone, light', () => axeViolations(this.page));
      await this.page.setViewport({ width: 1280, height: 900 });
      await this.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
      await examine('axe, dark', () => axeViolations(this.page));
      await this.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
    }
    await this.page.setViewport({ width: 1280, height: 900 });
    return all;
  }
}

/** Runs in each page before its own scripts: signs the first page in, and none after a sign-out. */
function remember(key: string): void {
  if (location.protocol === 'about:' || sessionStorage.getItem('test:signed-in')) return;
  sessionStorage.setItem('test:signed-in', 'yes');
  sessionStorage.setItem('retention-flow-api-key', key);
}
