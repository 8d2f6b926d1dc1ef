import { mkdirSync } from 'node:fs';
import type { BrowserContext, ElementHandle, Page } from 'puppeteer-core';
import { until } from '../../faults/support/until';
import { axeViolations } from './axe';
import type { Stage } from './stage';
import { Tab } from './tab';

const WAIT_MS = 8000;
const PICTURES = '.cache/browser';
/** Firefox has no way to be told that the system is dark. */
const SCHEMES = { Chromium: ['light', 'dark'], Firefox: ['light'] } as const;
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
    { context, service = stage.service }: { context?: BrowserContext; service?: string } = {},
  ) {
    const tab = await Tab.open(context ?? (await stage.context()), 'about:blank', { widget: false });
    await tab.page.setViewport({ width: 1280, height: 900 });
    await tab.page.goto(`${service}/console#${path}`);
    return new Console(tab, stage.kind.name);
  }

  /** Opens a page, signed in with a key; the one that may write unless given. */
  static async signedIn(
    stage: Stage,
    path = '/',
    { key = stage.acme.key, ...options }: { key?: string; service?: string } = {},
  ) {
    const console = await Console.open(stage, path, options);
    await console.signIn(key);
    return console;
  }

  async signIn(key: string): Promise<void> {
    await this.fill('API key', key);
    await this.press('Sign in');
    await this.control('button', 'Sign out');
  }

  /** Goes to a page by its address. */
  async goTo(path: string): Promise<void> {
    await this.page.evaluate((path) => (location.hash = path), path);
  }

  /** Waits for something by its role and the name that a screen reader says: `button`, `link`, `textbox`, `heading` … */
  async control(role: string, name: string): Promise<ElementHandle<HTMLElement>> {
    const selector = `::-p-aria([name="${name}"][role="${role}"])`;
    return (await this.page.waitForSelector(selector, {
      timeout: WAIT_MS,
      visible: true,
    })) as ElementHandle<HTMLElement>;
  }

  /** Waits for a button and presses it; `role` for a link, tab, checkbox. */
  async press(name: string, role = 'button'): Promise<void> {
    const control = await this.control(role, name);
    await control.evaluate((control) => control.scrollIntoView({ block: 'center' }));
    await control.click();
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
    await until(`the option "${option}" of ${label}`, async () => (value = await valueOf()) !== undefined, WAIT_MS);
    await select.select(value!);
  }

  /** Waits for the field with a label. */
  async field(label: string): Promise<ElementHandle<HTMLInputElement>> {
    let field: ElementHandle<HTMLInputElement> | null = null;
    await until(
      `the field "${label}"`,
      async () => {
        const handle = await this.page.evaluateHandle((name) => {
          const label = [...document.querySelectorAll('label')].find(
            (one) => one.innerText.trim() === name && one.checkVisibility(),
          );
          return label?.control ?? null;
        }, label);
        return (field = handle.asElement() as typeof field) !== null;
      },
      WAIT_MS,
    );
    return field!;
  }

  /** What the page shows. */
  text(selector = 'body'): Promise<string> {
    return this.page.$eval(selector, (one) => (one as HTMLElement).innerText);
  }

  /** Waits until the page shows a text. */
  async untilText(text: string, selector?: string): Promise<void> {
    let shown = '';
    await until(
      `"${text}" is shown`,
      async () => (shown = await this.text(selector).catch(() => '')).includes(text),
      WAIT_MS,
    ).catch((error: Error) => {
      throw new Error(`${error.message}. Shown is: ${shown}`);
    });
  }

  /** Waits until the page shows a text no longer. */
  async untilNoText(text: string, selector?: string): Promise<void> {
    await until(`"${text}" is gone`, async () => !(await this.text(selector)).includes(text), WAIT_MS);
  }

  /** Waits until the heading of the page is this. */
  async untilAt(title: string): Promise<void> {
    await this.tab.untilValue(`the page "${title}"`, () => this.text('h1'), title);
  }

  /** What is wrong with how the page looks: faults that axe finds, what sticks out sideways, errors. `[]` is well. */
  async faults(): Promise<string[]> {
    const noticed = await this.tab.noticed('violation', 'error');
    const wide = await this.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    return [
      ...(await axeViolations(this.page)),
      ...(wide > 0 ? [`${wide} px too wide`] : []),
      ...noticed.map((one) => JSON.stringify(one)),
    ];
  }

  /** The faults at all widths, light and dark. A picture of each is put into `.cache/browser`. */
  async looks(name: string): Promise<string[]> {
    const all: string[] = [];
    for (const scheme of SCHEMES[this.kind]) {
      if (this.kind === 'Chromium') {
        await this.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      }
      for (const width of WIDTHS) {
        await this.page.setViewport({ width, height: 900 });
        all.push(...(await this.faults()).map((fault) => `${scheme} ${width}: ${fault}`));
        await this.picture(`${name}-${scheme}-${width}`);
      }
    }
    await this.page.setViewport({ width: 1280, height: 900 });
    return all;
  }

  async picture(name: string): Promise<void> {
    if (this.kind !== 'Chromium') return;
    mkdirSync(PICTURES, { recursive: true });
    await this.page.screenshot({ path: `${PICTURES}/console-${name}.png`, fullPage: true });
  }
}
