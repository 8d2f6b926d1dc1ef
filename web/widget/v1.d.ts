/**
 * Types of the widget: of `/widget/v1.js`, which defines `<retention-flow>` and opens the flow on links with
 * `data-retention-flow`, and of the ES module `/widget/v1.mjs`, which exports what is declared here.
 */

/** What the host page says about the customer. */
export interface Customer {
  id: string;
  email?: string;
  attributes?: Record<string, string | number | boolean | null>;
}

/** An offer that the customer accepted, as it was shown. */
export interface AcceptedOffer {
  id: string;
  name: string;
  /** Such as `discount_percentage`. The types may grow. */
  offer_type: string;
  offer_value: string;
  offer_duration: string;
  heading: string;
  body: string;
}

/** How it ended. */
export interface Result {
  /**
   * - `saved`: the customer stays. The service has confirmed it.
   * - `canceled`: the customer wants to cancel. Only the cancellation page cancels.
   * - `closed`: the customer closed the dialog. The session stays open.
   * - `unavailable`: the flow could not be shown or finished. The customer is let go to the cancellation page.
   */
  outcome: 'saved' | 'canceled' | 'closed' | 'unavailable';
  /** The session's credential. Your backend can read the session with it; don't put it into a URL or a log. */
  sessionId?: string;
  /** With `saved`, if the customer accepted an offer. */
  acceptedOffer?: AcceptedOffer;
  /**
   * With `saved`: `offer_accepted` or `kept`. With `unavailable`: the code of the service's problem, such as
   * `session_limit_reached`, or `network`, `timeout`, `unreadable`, `session_ended` (of a `sessionId`), or
   * `unsupported` for a browser that is too old.
   */
  reason?: string;
}

/** A step that the customer took. It is being sent; it may still fail. */
export interface StepDetail {
  /** The key of the node in the flow. */
  node: string;
  /** Such as `survey`. The types may grow. */
  type: string;
  action: 'continue' | 'answer' | 'accept' | 'decline' | 'confirm' | 'keep' | 'cancel';
}

/** The widget's own texts. All others come from the flow. */
export interface Messages {
  /** While the customer waits. */
  moment: string;
  cancel: string;
  keep: string;
  continue: string;
  close: string;
  retry: string;
  /** A step did not get through. */
  notSent: string;
  /** It is not known whether "keep" or an accepted offer got through. */
  notConfirmed: string;
  /** The heading when the customer stays. */
  thanks: string;
  /** The label of a comment. */
  comment: string;
  /** Stands behind the label in brackets, unless the comment must be given. */
  optional: string;
}

/** What to show, and how. Each option takes precedence over the element's attribute or property of the same name. */
export interface ShowOptions {
  /** The slug of the flow. */
  flow?: string;
  /** The address of the service. By default, where the script came from. */
  api?: string;
  /** Where the customer cancels (http or https). By default, what the service says. */
  cancelUrl?: string;
  customer?: Customer;
  /** In place of `customer`, if there is no more to say than the id. */
  customerId?: string;
  /** In place of `customer`: a token that your backend signed. */
  customerToken?: string;
  /** A session that exists already, such as a preview, in place of a new one. */
  sessionId?: string;
  /** The language of the widget's own texts, such as `de` or `fr-CA`. By default, the page's. */
  lang?: string;
  /** `light` by default. `auto` follows the system. */
  colorScheme?: 'light' | 'dark' | 'auto';
  /** Texts in place of the widget's own. */
  messages?: Partial<Messages>;
  /** The element that the events are dispatched from, and that has the focus afterwards. */
  source?: HTMLElement;
}

/** `saved`: the customer stays. */
export interface SavedEvent extends CustomEvent<Result> {
  /**
   * Shows that something goes on until the promise settles, such as a request that applies the offer. The customer can
   * close the dialog all the same. If the promise is rejected, the thanks stay: the service has confirmed them.
   */
  waitUntil(promise: PromiseLike<unknown>): void;
}

/**
 * The events of links and of `<retention-flow>`. They bubble and are composed. `preventDefault()` of `canceled` and of
 * `unavailable` keeps the customer on the page; of the others, it changes nothing.
 */
export interface RetentionFlowEventMap {
  'retention-flow:step': CustomEvent<StepDetail>;
  'retention-flow:saved': SavedEvent;
  'retention-flow:canceled': CustomEvent<Result>;
  'retention-flow:closed': CustomEvent<Result>;
  'retention-flow:unavailable': CustomEvent<Result>;
}

/**
 * `<retention-flow flow="…">`. Shows nothing until `show()`. Attributes: `flow`, `api`, `cancel-url`, `customer-token`,
 * `customer-id`, `lang`, `color-scheme`.
 *
 * Custom properties, set on the element or around it: `--rf-brand` and `--rf-ink` (the main button and the text on it, by
 * default in the workspace's colour), `--rf-font`, `--rf-radius`.
 *
 * Parts: `dialog`, `logo`, `content`, `title`, `body`, `option`, `label`, `comment`, `footer`, `alert`, `retry`, `buttons`,
 * `primary`, `secondary`, `cancel`, `close`, `busy`.
 */
export interface RetentionFlow {
  customer?: Customer;
  messages?: Partial<Messages>;
  /**
   * Shows the flow. Resolves as soon as it has ended; the thanks may still be on the screen. Never rejects. While the
   * dialog is open, returns the same promise again.
   */
  show(options?: ShowOptions): Promise<Result>;
  /** Closes the dialog, as the customer can. The session stays open. */
  close(): void;
}

export declare class RetentionFlowElement extends HTMLElement implements RetentionFlow {
  customer?: Customer;
  messages?: Partial<Messages>;
  show(options?: ShowOptions): Promise<Result>;
  close(): void;
}

/**
 * Shows a flow, or a session that exists already, without an element in the page. While the dialog is open, returns the same
 * promise again.
 */
export declare function show(options: ShowOptions & ({ flow: string } | { sessionId: string })): Promise<Result>;

declare global {
  interface HTMLElementTagNameMap {
    'retention-flow': HTMLElement & RetentionFlow;
  }
  interface GlobalEventHandlersEventMap extends RetentionFlowEventMap {}
}
