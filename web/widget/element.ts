import { createDialog, type FlowDialog } from './dialog';
import { webUrl } from './dom';
import { messagesIn } from './messages';
import type { View } from './types';
import type { Customer, Messages, Result, RetentionFlow, RetentionFlowEventMap, ShowOptions } from './v1.d';
import { createWalk, type End, type Walk } from './walk';
import { world } from './world';

const TAG = 'retention-flow';

/** The options that an attribute can give, too: `cancel-url`, of a link `data-cancel-url`, for `cancelUrl`. */
type Setting = 'flow' | 'api' | 'cancelUrl' | 'customerId' | 'customerToken' | 'lang' | 'colorScheme';

/** On a server, there is nothing to extend. */
const Base = typeof HTMLElement === 'function' ? HTMLElement : (class {} as typeof HTMLElement);

export class RetentionFlowElement extends Base implements RetentionFlow {
  /** The address of the service, unless an option or an attribute says otherwise. */
  static api = '';
  /** Whether the links of the page open flows. */
  static hasLinks = false;

  declare customer?: Customer;
  declare messages?: Partial<Messages>;
  /** Whether the cancellation page was asked for, and has not come yet. */
  declare isLeaving?: boolean;
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
    const { source = this } = options;
    const setting = (name: Setting) =>
      (options[name] ?? source.dataset[name] ?? this.getAttribute(name.replace(/[A-Z]/, '-$&'))) || undefined;
    const lang = setting('lang') ?? (source.closest<HTMLElement>('[lang]') ?? document.documentElement).lang;
    const customerId = setting('customerId');
    let view: View = { show: 'nothing' };
    let hasEnded = false;

    const emit = (type: keyof RetentionFlowEventMap, detail: object, methods?: object) => {
      const event = new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable: true });
      return (source.isConnected ? source : this).dispatchEvent(Object.assign(event, methods));
    };
    const close = () => this.close();
    /** A page that comes back from the browser's cache starts anew. */
    const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && close();
    /** The dialog is gone. */
    const rest = () => {
      removeEventListener('pageshow', onPageShow);
      this.result = this.walk = this.dialog = undefined;
      this.onidle?.();
    };
    const onView = (next: View) => {
      this.dialog!.render(next);
      // Once, as the dialog goes: the walk may end later, when the customer is somewhere else.
      if (next.show === 'nothing' && view.show !== next.show) source.focus({ preventScroll: true });
      view = next;
      if (hasEnded) rest();
    };
    const onEnd = ({ cancellationUrl, ...result }: End) => {
      hasEnded = true;
      const { outcome } = result;
      const { dialog } = this;
      const isWanted = emit(`retention-flow:${outcome}`, result, { waitUntil: dialog?.hold });
      resolve(result);
      if (!dialog?.element.open) rest();
      const url = webUrl(setting('cancelUrl')) ?? webUrl(cancellationUrl);
      if (isWanted && url && (outcome === 'canceled' || outcome === 'unavailable')) {
        this.isLeaving = true;
        addEventListener('pageshow', () => (this.isLeaving = false));
        location.assign(url);
      }
    };

    try {
      this.dialog = createDialog(
        this.shadowRoot ?? this.attachShadow({ mode: 'open' }),
        {
          lang,
          dir: getComputedStyle(source).direction,
          colorScheme: setting('colorScheme') ?? 'light',
          messages: { ...messagesIn(lang), ...this.messages, ...options.messages },
        },
        {
          close,
          retry: () => this.walk!.retry(),
          step: (step) => {
            if (view.show === 'node') {
              const { key, type } = view.node;
              emit('retention-flow:step', { node: key, type, action: step.action });
            }
            this.walk!.take(step);
          },
        },
      );
      this.walk = createWalk(
        {
          api: (setting('api') ?? RetentionFlowElement.api).replace(/\/+$/, ''),
          flow: setting('flow') ?? '',
          customer: options.customer ?? this.customer ?? (customerId ? { id: customerId } : undefined),
          customerToken: setting('customerToken'),
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
      // A browser that is too old: before Chrome 86, Firefox 101 or Safari 16.4.
      onEnd({ outcome: 'unavailable', reason: 'unsupported' });
    }
  }
}

/** Defines `<retention-flow>`, unless another copy of the widget has. Returns the element that is defined. */
export function define(): typeof RetentionFlowElement {
  if (!customElements.get(TAG)) customElements.define(TAG, RetentionFlowElement);
  return customElements.get(TAG) as typeof RetentionFlowElement;
}

/** An element that goes when its dialog is gone. It is no child of the body, so that nothing done to the body reaches it. */
export function createApart(): RetentionFlowElement {
  const element = document.createElement(TAG) as RetentionFlowElement;
  element.onidle = () => element.remove();
  document.documentElement.append(element);
  return element;
}

/** The address of the service that a script came from, `…/widget/v1.js`. */
export function serviceOf(script: string): string {
  return new URL('..', script).href;
}
