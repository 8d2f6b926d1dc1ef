import { canonicalTag, isRightToLeft } from '../../src/platform/text/languages';
import { createDialog, type FlowDialog } from './dialog';
import { create, own, serviceUrl, webUrl } from './dom';
import { messagesIn } from '../../client/dialog/messages.ts';
import { shield } from './shield';
import type { FlowNode, Shown } from '../../client/headless/types.ts';
import type { Customer, FetchCustomerToken, Messages, Result, RetentionFlow } from './v1.d';
import type { RetentionFlowEventMap, ShowOptions, ShownDetail } from './v1.d';
import { warn } from '../../client/headless/warn.ts';
import { createWalk, type End, type Walk } from '../../client/headless/walk.ts';
import { world } from '../../client/headless/world.ts';

const TAG = 'retention-flow';

/** What an attribute can give, too: `cancel-url`, of a link `data-cancel-url`, for `cancelUrl`. */
const OPTIONS = ['flow', 'api', 'cancelUrl', 'customerId', 'customerToken', 'lang', 'colorScheme'] as const;
type Option = (typeof OPTIONS)[number];
type Setting = Option | `message-${keyof Messages}`;
const attributeOf = (setting: Setting) => setting.replace(/[A-Z]/, '-$&').toLowerCase();
/** Two spellings of an attribute have the same. */
const lettersOf = (attribute: string) => attribute.replace(/-/g, '');

/** Markup can put an element in the place of the property of a form: see `own`. */
const isToken = (value: unknown) => typeof value === 'function' || (typeof value === 'string' && value !== '');

/** What comes nearest to attributes that only a property can give. */
const NEAREST = new Map([
  ['customer', 'customer-token'],
  ['messages', 'message-…'],
]);

/** How often the dialog looks whether the page is still there: no browser tells of every change of the address. */
const WATCH_MS = 100;

/** On a server, there is nothing to extend. */
const Base = typeof HTMLElement === 'function' ? HTMLElement : (class {} as typeof HTMLElement);

/** How many walks have begun on the page. */
let walks = 0;

export class RetentionFlowElement extends Base implements RetentionFlow {
  /** The address of the service, unless an option or an attribute says otherwise. */
  static api = '';
  /** Whether the links of the page open flows. */
  static hasLinks = false;

  declare customer?: Customer;
  declare customerToken?: string | FetchCustomerToken;
  declare messages?: Partial<Messages>;
  /** The address of the page that was left for the cancellation page, until that comes. */
  declare leaving?: string;
  /** Called when the dialog is gone. */
  declare onidle?: () => void;
  declare private walk?: Walk;
  declare private dialog?: FlowDialog;
  declare private result?: Promise<Result>;

  show(options: ShowOptions = {}): Promise<Result> {
    if (this.result) return this.result;
    let resolve!: (result: Result) => void;
    const result = new Promise<Result>((resolved) => (resolve = resolved));
    this.result = result;
    this.start(options, resolve);
    return result;
  }

  close(): void {
    this.walk?.close();
  }

  /** Leaves at once, unless the dialog is open: it has a button for that. */
  leave(): void {
    if (!this.dialog?.element.open) this.walk?.leave();
  }

  disconnectedCallback(): void {
    this.close();
  }

  private start(options: ShowOptions, resolve: (result: Result) => void): void {
    const walk = ++walks;
    const { source = this } = options;
    const setting = (name: Setting) => {
      const attribute = attributeOf(name);
      const value = own(source, 'getAttribute')(`data-${attribute}`) ?? this.getAttribute(attribute);
      return ((options[name as Option] as string) ?? value) || undefined;
    };
    const around = own(source, 'closest')<HTMLElement>('[lang]') ?? own(document, 'documentElement');
    const lang = setting('lang');
    // A tag that is none is not sent, and has no words.
    const locale = canonicalTag(lang ?? (own(around, 'getAttribute')('lang') || navigator.language));
    const flow = setting('flow');
    const customerId = setting('customerId');
    const token = options.customerToken ?? (source as HTMLAnchorElement).customerToken ?? this.customerToken;
    let view: Shown = { type: 'nothing' };
    let hasEnded = false;
    /** The page of an app. A query may change on it: scripts of analytics take theirs away. */
    const place = () => location.pathname + location.hash;
    let begun = place();

    const emit = (type: keyof RetentionFlowEventMap, detail: object, methods?: object) => {
      const event = new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable: true });
      const target = own(source, 'isConnected') ? source : this;
      return own(target, 'dispatchEvent')(Object.assign(event, methods));
    };
    const close = () => this.close();
    /** A page that comes back from the browser's cache starts anew. */
    const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && close();
    /** The dialog is gone. */
    const rest = () => {
      clearInterval(watch);
      removeEventListener('pageshow', onPageShow);
      this.result = this.walk = this.dialog = undefined;
      this.onidle?.();
    };
    const where = ({ key, type, config }: FlowNode): ShownDetail => ({
      sessionId: this.walk!.sessionId(),
      node: key,
      type,
      offerId: type === 'offer' ? config.id : undefined,
    });
    const onView = (next: Shown) => {
      const before = view;
      this.dialog!.render(next);
      // Once, as the dialog goes: the walk may end later, when the customer is somewhere else.
      if (next.type === 'nothing' && view.type !== next.type) own(source, 'focus')({ preventScroll: true });
      view = next;
      if (hasEnded && next.type === 'nothing') return rest();
      if (before.type === 'nothing' && next.type !== before.type) {
        emit('retention-flow:opened', { flow });
        // A listener may have changed it, so that "back" closes the dialog.
        begun = place();
      }
      // Nobody sees it.
      if (view.type === 'canceled' && !this.isConnected) return this.walk!.leave();
      // Unless a listener has just closed the dialog.
      if (view.type === 'node' && !(before.type === 'node' && before.node.key === view.node.key)) {
        emit('retention-flow:shown', where(view.node));
      }
    };
    const onEnd = ({ cancellationUrl, stays, ...result }: End) => {
      hasEnded = true;
      const { outcome } = result;
      // Who leaves is led to no accepted offer any more.
      if (outcome === 'canceled') walks++;
      const { dialog } = this;
      const held: PromiseLike<unknown>[] = [];
      const waitUntil = (promise: PromiseLike<unknown>) => {
        held.push(promise);
        dialog?.hold(promise);
      };
      const isWanted = emit(`retention-flow:${outcome}`, result, { waitUntil });
      resolve(result);
      const acceptUrl = webUrl(result.acceptUrl);
      if (isWanted && acceptUrl) void Promise.allSettled(held).then(() => walk === walks && location.assign(acceptUrl));
      if (!dialog?.element.open) rest();
      const url = webUrl(setting('cancelUrl')) ?? webUrl(cancellationUrl);
      if (isWanted && url && !stays && (outcome === 'canceled' || outcome === 'unavailable')) {
        const { href } = location;
        location.assign(url);
        // In an app that routes by hash, this changes the page at once. If the app shows that page already, nothing
        // changes.
        if (location.href === href && !(url === href && url.includes('#'))) {
          this.leaving = href;
          addEventListener('pageshow', () => (this.leaving = undefined), { once: true });
        }
      }
    };

    const watch = setInterval(() => place() !== begun && close(), WATCH_MS);
    try {
      const messages = messagesIn(locale);
      warnOfUnread(source, [...OPTIONS, ...Object.keys(messages).map((name) => `message-${name}` as Setting)]);
      for (const name of Object.keys(messages) as (keyof Messages)[]) {
        messages[name] = setting(`message-${name}`) ?? messages[name];
      }
      const api = serviceUrl(setting('api') ?? RetentionFlowElement.api).replace(/\/+$/, '');
      this.dialog = createDialog(
        this.shadowRoot ?? this.attachShadow({ mode: 'open' }),
        {
          service: api,
          lang: locale ?? '',
          dir: isRightToLeft(locale) ? 'rtl' : lang ? 'ltr' : getComputedStyle(source).direction,
          colorScheme: setting('colorScheme'),
          messages: { ...messages, ...this.messages, ...options.messages },
        },
        {
          close,
          note: (draft) => this.walk!.note(draft),
          retry: () => this.walk!.retry(),
          step: (step) => {
            if (view.type === 'node') {
              // What the customer wrote is for the service alone.
              const { comment: _, ...told } = step;
              emit('retention-flow:step', { ...where(view.node), ...told });
            }
            this.walk!.take(step);
          },
        },
      );
      this.walk = createWalk(
        {
          api,
          flow: flow ?? '',
          locale,
          customer: options.customer ?? this.customer ?? (customerId ? { id: customerId } : undefined),
          customerToken: isToken(token) ? token : setting('customerToken'),
          sessionId: options.sessionId,
          onView,
          onBranding: this.dialog.brand,
          onEnd,
        },
        world(),
      );
      addEventListener('pageshow', onPageShow);
      this.walk.start();
    } catch {
      // A browser that is too old (before Chrome 86, Firefox 101 or Safari 16.4), or an `api` that is no address.
      onEnd({ outcome: 'unavailable', reason: 'unsupported' });
    }
  }
}

// React 19, Vue 3 and Svelte 5 set a property if the class has an accessor for it, and otherwise an attribute. What was
// set before the class was there stays as the element's own property.
for (const name of ['customer', 'customerToken', 'messages']) {
  const values = new WeakMap<object, unknown>();
  Object.defineProperty(RetentionFlowElement.prototype, name, {
    get(this: object) {
      return values.get(this);
    },
    set(this: object, value) {
      values.set(this, value);
    },
  });
}

/** Warns of attributes that look like settings, such as `data-customerid`, and are none. */
function warnOfUnread(source: HTMLElement, settings: Setting[]): void {
  const prefix = source instanceof RetentionFlowElement ? '' : 'data-';
  for (const name of own(source, 'getAttributeNames')()) {
    const letters = lettersOf(name.replace(/^data-/, ''));
    const right = settings.map(attributeOf).find((one) => lettersOf(one) === letters) ?? NEAREST.get(letters);
    // Svelte sets the property, too.
    if (NEAREST.has(letters) && source[letters as keyof HTMLElement]) continue;
    if (!right || [prefix + right, `data-${right}`, 'lang'].includes(name)) continue;
    const orProperty = NEAREST.has(letters) && ', or the property of <retention-flow> once the script is there';
    warn(`the attribute ${name} is not read; use ${prefix}${right}${orProperty || ''}`);
  }
}

/** Defines `<retention-flow>`, unless another copy of the widget has. Returns the element that is defined. */
export function define(): typeof RetentionFlowElement {
  if (!customElements.get(TAG)) {
    customElements.define(TAG, RetentionFlowElement);
    shield((target) => target instanceof RetentionFlowElement);
  }
  return customElements.get(TAG) as typeof RetentionFlowElement;
}

/**
 * An element that goes when its dialog is gone. It is no child of the body, so that nothing done to the body reaches
 * it.
 */
export function createApart(): RetentionFlowElement {
  const element = create(TAG, {}) as RetentionFlowElement;
  element.onidle = () => element.remove();
  own(document, 'documentElement').append(element);
  return element;
}

/** The address of the service that a script came from, `…/widget/v1.js`. */
export function serviceOf(script: string): string {
  return new URL('..', script).href;
}
