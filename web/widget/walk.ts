import type { Branding, Customer, Result, Step, View } from './types';

/** What the walk needs of the world, so that tests can give it another one. */
export interface World {
  fetch: typeof fetch;
  /** Milliseconds that only go up. */
  now(): number;
  /** Calls back after that many milliseconds. Returns a function that prevents it. */
  after(milliseconds: number, callback: () => void): () => void;
  /** The tab's sessionStorage; undefined where the browser forbids it. Each call may throw. */
  storage: TabStorage | undefined;
  /** A new random key of at least 16 printable ASCII characters. */
  randomKey(): string;
}

interface TabStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export interface WalkOptions {
  /** The origin (and path) of the service, without a slash at the end. */
  api: string;
  /** The slug of the flow. */
  flow: string;
  customer?: Customer;
  customerToken?: string;
  /** The id of a session that exists already, such as a preview. */
  sessionId?: string;
  /** Called whenever the dialog has to change. */
  onView(view: View): void;
  /** Called with the branding of the workspace, before the first node. */
  onBranding(branding: Branding): void;
  /** Called once. */
  onEnd(end: End): void;
}

/** How the walk ended, and where the customer goes now. */
export interface End extends Result {
  /** Where the service says to cancel (http or https). The link's own address comes first. */
  cancellationUrl?: string;
}

/** One customer's way through a flow: what to ask the service, and what to show, whatever happens. */
export interface Walk {
  /** Starts or resumes the session. */
  start(): void;
  /** Sends a step. While one is under way, it is ignored. */
  take(step: Omit<Step, 'node_key'>): void;
  /** Sends the failed step again. */
  retry(): void;
  /** The cancel link, or a second click: tells the service if there is a session, and ends within 3 s. */
  leave(): void;
  /** Esc or ×: ends as `closed`, or as `saved` after the customer stayed. The session stays open. */
  close(): void;
}
