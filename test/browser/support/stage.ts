import type { Browser, BrowserContext } from 'puppeteer-core';
import { Databases } from '../../support/databases';
import { ServiceProcess } from '../../support/service-process';
import { freePort } from '../../support/free-port';
import { Acme } from './acme';
import { type BrowserKind, BROWSERS, launch } from './browsers';
import { Front } from './front';
import { Host, type HostPage } from './host';
import { Tab } from './tab';

/** Everything that a scenario needs: a browser, the service, a company with its site. */
export class Stage {
  private readonly contexts: BrowserContext[] = [];
  private readonly fronts: Front[] = [];
  private readonly databases = new Databases();
  private env: Record<string, string>;
  process: ServiceProcess;
  /** The address of the service. */
  service: string;
  host: Host;
  acme: Acme;
  browser: Browser;

  constructor(
    readonly kind: BrowserKind,
    /** What the service is told by its environment. */
    private readonly settings: Record<string, string>,
  ) {}

  async set(): Promise<void> {
    const url = this.databases.create();
    const starting = url.then(async (DATABASE_URL) => {
      this.env = { DATABASE_URL, PORT: String(await freePort()), BACKGROUND_JOBS: 'false', ...this.settings };
      await this.startService();
    });
    [this.browser, this.host] = await Promise.all([launch(this.kind), Host.start(), starting]);
    this.acme = await Acme.create(this.service, `${this.host.origin}/cancel-page?by=service`);
  }

  /** The database of the service. */
  get databaseUrl(): string {
    return this.env.DATABASE_URL;
  }

  /** The service always comes back at the same address. */
  async startService(): Promise<void> {
    this.process = ServiceProcess.start(this.env);
    this.service = await this.process.address();
  }

  /** The service accepts connections meanwhile, and answers nothing. */
  async whileFrozen(work: () => Promise<void>): Promise<void> {
    this.process.signal('SIGSTOP');
    try {
      await work();
    } finally {
      this.process.signal('SIGCONT');
    }
  }

  async strike(): Promise<void> {
    await this.browser?.close();
    await ServiceProcess.killAll();
    await this.host?.stop();
    await this.databases.dropAll();
  }

  /** Closes what a test opened. */
  async clear(): Promise<void> {
    await Promise.all(this.contexts.splice(0).map((context) => context.close()));
    await Promise.all(this.fronts.splice(0).map((front) => front.stop()));
  }

  /** A customer's browser: its storage is empty, and belongs to it alone. */
  async context(): Promise<BrowserContext> {
    const context = await this.browser.createBrowserContext();
    this.contexts.push(context);
    return context;
  }

  /** Opens a page of the host in a new customer's browser. */
  async open(page: Partial<HostPage>, options?: { widget: boolean }): Promise<Tab> {
    return Tab.open(await this.context(), this.host.page({ service: this.service, ...page }), options);
  }

  /** Opens an address in a new customer's browser. */
  async openAt(url: string): Promise<Tab> {
    return Tab.open(await this.context(), url);
  }

  /** Something between the page and the service that can fail. */
  async front(prefix?: string): Promise<Front> {
    const front = await Front.start(this.service, prefix);
    this.fronts.push(front);
    return front;
  }
}

/** Lets the service deliver to webhooks of the tests. */
export const TO_LOOPBACK = { BACKGROUND_JOBS: 'true', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' };

type Tests = (stage: Stage, kind: BrowserKind) => void;

/**
 * Runs the same tests in each browser that is installed.
 *
 * @param settings what the service is told by its environment; it sends no events unless told to
 */
export function inEachBrowser(title: string, tests: Tests, settings?: Record<string, string>): void {
  inBrowsers(BROWSERS, title, tests, settings);
}

/** For what any browser does alike, such as what a page asks the service for: Chromium alone. */
export function inOneBrowser(title: string, tests: Tests, settings?: Record<string, string>): void {
  inBrowsers(BROWSERS.slice(0, 1), title, tests, settings);
}

function inBrowsers(kinds: BrowserKind[], title: string, tests: Tests, settings: Record<string, string> = {}): void {
  for (const kind of kinds) {
    (kind.path ? describe : describe.skip)(`${title}, in ${kind.name},`, () => {
      const stage = new Stage(kind, settings);
      beforeAll(() => stage.set());
      afterEach(() => stage.clear());
      afterAll(() => stage.strike());
      tests(stage, kind);
    });
  }
}
