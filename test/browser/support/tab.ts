import type { BrowserContext, ElementHandle, Page } from 'puppeteer-core';
import { until } from '../../faults/support/until';

/** What a page noticed, such as an event of the widget, or a violation of the Content-Security-Policy. */
export interface Noticed {
  type: string;
  detail: unknown;
}

/** The longest that puppeteer waits: a machine that is busy with something else is no failure. */
const WAIT_MS = 120_000;

/** A customer's tab, with the host's page. */
export class Tab {
  /** The addresses that its pages asked for. */
  readonly requests: string[] = [];

  private constructor(readonly page: Page) {
    page.on('request', (request) => this.requests.push(request.url()));
  }

  /** Opens a page, and waits until the widget is there (unless told otherwise). */
  static async open(context: BrowserContext, url: string, { widget = true } = {}): Promise<Tab> {
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    await page.evaluateOnNewDocument(notice);
    const tab = new Tab(page);
    await page.goto(url, { waitUntil: 'domcontentloaded' });
    if (widget) await tab.untilWidget();
    return tab;
  }

  untilWidget(): Promise<unknown> {
    return this.until('the widget is there', () => !!customElements.get('retention-flow'));
  }

  /** Clicks "cancel", and waits for the first node. */
  async begin(title = 'Before you go'): Promise<void> {
    await this.clickLink();
    await this.untilTitle(title);
  }

  clickLink(options?: Parameters<Page['click']>[1]): Promise<void> {
    return this.page.click('a[data-retention-flow]', options);
  }

  /** Waits until the dialog shows a title. */
  async untilTitle(title: string): Promise<void> {
    await this.untilValue(`the title "${title}"`, () => this.title(), title);
  }

  /** Lets the dialog come to rest: what moves is at its end, and what has just appeared is live. */
  async settle(): Promise<void> {
    await this.inDialog((dialog) =>
      dialog?.getAnimations({ subtree: true }).forEach((animation) => {
        if (animation.effect!.getComputedTiming().endTime !== Infinity) animation.finish();
      }),
    );
  }

  /** The title that the dialog shows; undefined without a dialog. */
  title(): Promise<string | undefined> {
    return this.inDialog((dialog) => dialog?.querySelector('h2')?.textContent?.trim());
  }

  /** What the dialog shows; undefined without a dialog. */
  text(): Promise<string | undefined> {
    return this.inDialog((dialog) => dialog?.innerText);
  }

  /** What the alert in the dialog says; undefined without one. */
  alert(): Promise<string | undefined> {
    return this.inDialog(
      (dialog) => dialog?.querySelector<HTMLElement>('[part~=alert]')?.innerText.trim() || undefined,
    );
  }

  /** Waits for a button or option in the dialog, and clicks it. */
  async press(name: string): Promise<void> {
    await (await this.control(name)).click();
  }

  /** Waits for a button, link or option by the name that the customer sees or hears, and until it is live. */
  async control(name: string): Promise<ElementHandle<HTMLElement>> {
    let control: ElementHandle<HTMLElement> | undefined;
    await until(`the control "${name}"`, async () => {
      const handle = await this.page.evaluateHandle((name) => {
        const root = document.querySelector('retention-flow')?.shadowRoot ?? document;
        const dialog = root.querySelector('dialog[open], [role=dialog]');
        const all = [...(dialog?.querySelectorAll<HTMLElement>('button, a, label, textarea, [role=button]') ?? [])];
        return all.find((one) => (one.ariaLabel ?? one.innerText).trim() === name && one.checkVisibility());
      }, name);
      control = (handle.asElement() as ElementHandle<HTMLElement> | null) ?? undefined;
      return !!control;
    });
    await this.settle();
    return control!;
  }

  /** Writes into the comment, as a whole. */
  async comment(text: string): Promise<void> {
    const field = await this.page.waitForSelector('retention-flow >>> textarea');
    await field!.focus();
    await this.page.keyboard.type(text);
  }

  /** Waits until the accessibility tree has something in the page. Chromium looks into shadow trees by itself. */
  async untilHeard(role: string, name: string): Promise<void> {
    const query = `::-p-aria([name="${name}"][role="${role}"])`;
    const isHeard = async () => !!((await this.page.$(query)) ?? (await this.page.$(`retention-flow >>> ${query}`)));
    await until(`${role} "${name}" is heard`, isHeard);
  }

  /** Presses Tab until a control has the focus. */
  async tabTo(name: string): Promise<void> {
    const passed: string[] = [];
    while (!(await this.focused()).startsWith(name)) {
      if (passed.length > 15) throw new Error(`Tab does not lead to "${name}", only to ${passed.join(', ')}`);
      await this.page.keyboard.press('Tab');
      passed.push(await this.focused());
    }
  }

  /** The name of what has the focus. */
  focused(): Promise<string> {
    return this.page.evaluate(() => {
      let active = document.activeElement as HTMLElement;
      while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement as HTMLElement;
      const label = (active as HTMLInputElement).labels?.[0]?.innerText;
      return (active.ariaLabel ?? label ?? active.innerText).trim();
    });
  }

  /** Waits until the tab is at an address. */
  async untilAt(url: string): Promise<void> {
    await this.untilValue('the address', () => Promise.resolve(this.page.url()), url);
  }

  /** What the pages of this tab noticed, of some types. */
  async noticed(...types: string[]): Promise<Noticed[]> {
    const all = await this.page.evaluate(() => sessionStorage.getItem('test:noticed') ?? '[]');
    return (JSON.parse(all) as Noticed[]).filter(({ type }) => types.length === 0 || types.includes(type));
  }

  async untilNoticed(type: string): Promise<void> {
    await until(`"${type}" is noticed`, async () => (await this.noticed(type)).length > 0);
  }

  async reload(): Promise<void> {
    await this.page.reload({ waitUntil: 'domcontentloaded' });
    await this.untilWidget();
  }

  /** The browser's back button. */
  async back(): Promise<void> {
    await this.page.evaluate(() => history.back());
    await this.until('the page before', () => location.pathname === '/account');
    await this.untilWidget();
  }

  /** Waits until a function of the page is true. */
  until(what: string, isTrue: () => boolean): Promise<unknown> {
    return until(what, () => this.page.evaluate(isTrue).catch(() => false));
  }

  async untilValue<T>(what: string, read: () => Promise<T>, expected: T): Promise<void> {
    let value: T | undefined;
    const isExpected = async () => (value = await read().catch(() => undefined)) === expected;
    await until(what, isExpected).catch((error: Error) => {
      throw new Error(`${error.message}. It is ${JSON.stringify(value)}.`);
    });
  }

  /** Reads something from the open dialog, which is the widget's or the page's own. Null and undefined are the same. */
  async inDialog<T>(read: (dialog: HTMLDialogElement | null | undefined) => T): Promise<T> {
    const root = `(document.querySelector('retention-flow')?.shadowRoot ?? document)`;
    const source = `(${String(read)})(${root}.querySelector('dialog[open], [role=dialog]'))`;
    return (await this.page.evaluate(source)) as T;
  }
}

/** Runs in each page before anything else. Writes down what happens, so that it outlives the page. */
function notice(): void {
  try {
    sessionStorage.getItem('test:noticed');
  } catch {
    // A page that may store nothing, such as about:blank.
    return;
  }
  const note = (type: string, detail: unknown) => {
    const all = JSON.parse(sessionStorage.getItem('test:noticed') ?? '[]') as unknown[];
    sessionStorage.setItem('test:noticed', JSON.stringify([...all, { type, detail }]));
  };
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    note('violation', `${effectiveDirective} ${blockedURI}`),
  );
  addEventListener('error', ({ message }) => note('error', message));
  addEventListener('unhandledrejection', ({ reason }) => note('error', String(reason)));
  for (const type of ['opened', 'shown', 'step', 'saved', 'canceled', 'closed', 'unavailable']) {
    document.addEventListener(`retention-flow:${type}`, (event) => note(type, (event as CustomEvent).detail));
  }
}
