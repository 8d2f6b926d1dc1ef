/**
 * Types of the widget: of `/widget/v1.js`, which defines `<retention-flow>` and opens the flow on links with
 * `data-retention-flow`, and of the ES module `/widget/v1.mjs`, which exports what is declared here.
 */

/** What the host page says about the customer. */
export interface Customer {
  id: string;
  email?: string;
  attributes?: Record<string, string | number | boolean | null>;
  /** What the customer pays, so that statistics can count money. */
  subscription?: {
    /** In your billing system. */
    id?: string;
    /** For an interval, in the smallest unit of the currency: 4990 is 49.90 EUR. */
    amount: number;
    /** ISO 4217. */
    currency: string;
    interval: 'week' | 'month' | 'quarter' | 'year';
  };
}

/**
 * Called before each start, so that the token is fresh: returns one that your backend signed, or a promise of one, or
 * nothing for a customer without a token. If it fails, or takes longer than 2.5 s, the customer goes on to the
 * cancellation page.
 */
export type FetchCustomerToken = () => string | null | undefined | PromiseLike<string | null | undefined>;

/** An offer that the customer accepted, as it was shown. */
export interface AcceptedOffer {
  id: string;
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
   * - `contacted`: the customer accepted an offer that is no save, such as a call, and has not decided yet.
   * - `canceled`: the customer wants to cancel. Only the cancellation page cancels.
   * - `closed`: the customer closed the dialog. The session stays open.
   * - `unavailable`: the flow could not be shown or finished. The customer is let go to the cancellation page.
   */
  outcome: 'saved' | 'contacted' | 'canceled' | 'closed' | 'unavailable';
  /** The session's credential. Your backend can read the session with it; don't put it into a URL or a log. */
  sessionId?: string;
  /** With `contacted`, and with `saved` if the customer accepted an offer. */
  acceptedOffer?: AcceptedOffer;
  /** With `saved` and `contacted`, if the offer has one: where the widget goes now. */
  acceptUrl?: string;
  /**
   * With `acceptedOffer`: `pending` if billing has not applied it yet, so don't say that it is; `applied` if it has;
   * `none` if the service does nothing there.
   */
  fulfilment?: 'none' | 'pending' | 'applied';
  /**
   * With `saved`: `offer_accepted` or `kept`. With `unavailable`: the code of the service's problem, such as
   * `session_limit_reached`, or `network`, `timeout`, `unreadable`, `session_ended` (the session of a `sessionId` has
   * ended, or began more than 24 hours ago), `no_customer_token` (the function for it failed or was late), or
   * `unsupported` for a browser that is too old.
   */
  reason?: string;
}

/** The dialog opened. */
export interface OpenedDetail {
  /** The slug of the flow; none with a `sessionId`. */
  flow?: string;
}

/** A node that the customer sees. */
export interface ShownDetail {
  /** The session's credential, as in `Result`. */
  sessionId?: string;
  /** The key of the node in the flow. */
  node: string;
  /** Such as `survey`. The types may grow. */
  type: string;
  /** With the type `offer`. */
  offerId?: string;
}

/** A step that the customer took. It is being sent; it may still fail. */
export interface StepDetail extends ShownDetail {
  /** With `answer`: the `value` of the option. */
  option?: string;
  /** With `answer` to a survey that takes several. */
  options?: string[];
  /** With `accept` of an offer whose customer chooses how long a pause lasts. */
  months?: number;
  action: 'continue' | 'answer' | 'accept' | 'decline' | 'confirm' | 'keep' | 'cancel';
}

/** The widget's own texts, in twelve languages. All others come from the flow. */
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
  /** The session was over, so a new one began. */
  restarted: string;
  /** The heading when the customer stays without an offer. After one, the words of the offer are read. */
  thanks: string;
  /** The label of a comment. */
  comment: string;
  /** Stands behind the label in brackets, unless the comment must be given. */
  optional: string;
  /** Asks whoever goes on without an answer, where there may be several. */
  choose: string;
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
  /** In place of `customer`: a token that your backend signed, or a function that fetches one. */
  customerToken?: string | FetchCustomerToken;
  /** A session that exists already, such as a preview, in place of a new one. */
  sessionId?: string;
  /** The customer's language, such as `de` or `fr-CA`. By default, the page's, or else the browser's. */
  lang?: string;
  /** `light` by default. `auto` follows the system. */
  colorScheme?: 'light' | 'dark' | 'auto';
  /** Texts in place of the widget's own. */
  messages?: Partial<Messages>;
  /** The element that the events are dispatched from, and that has the focus afterwards. */
  source?: HTMLElement;
}

/** `saved` and `contacted`: the customer took an offer, or stays without one. */
export interface SavedEvent extends CustomEvent<Result> {
  /**
   * Shows that something goes on until the promise settles, such as a request that applies the offer. The customer can
   * close the dialog all the same. The widget goes to the `acceptUrl` only then. If the promise is rejected, the thanks
   * stay: the service has confirmed them.
   */
  waitUntil(promise: PromiseLike<unknown>): void;
}

/**
 * The events of links and of `<retention-flow>`. They bubble and are composed. `preventDefault()` of `saved`,
 * `contacted`, `canceled` and `unavailable` keeps the customer on the page; of the others, it changes nothing.
 */
export interface RetentionFlowEventMap {
  'retention-flow:opened': CustomEvent<OpenedDetail>;
  'retention-flow:shown': CustomEvent<ShownDetail>;
  'retention-flow:step': CustomEvent<StepDetail>;
  'retention-flow:saved': SavedEvent;
  'retention-flow:contacted': SavedEvent;
  'retention-flow:canceled': CustomEvent<Result>;
  'retention-flow:closed': CustomEvent<Result>;
  'retention-flow:unavailable': CustomEvent<Result>;
}

/**
 * `<retention-flow flow="…">`. Shows nothing until `show()`. Attributes: `flow`, `api`, `cancel-url`, `customer-token`,
 * `customer-id`, `lang`, `color-scheme`, and `message-…` for each of `Messages`, such as `message-not-sent`.
 *
 * Custom properties, set on the element or around it: `--rf-brand` and `--rf-ink` (the main button and the text on it,
 * by default in the workspace's colour), `--rf-font`, `--rf-radius`.
 *
 * Parts: `dialog`, `logo`, `content`, `image`, `title`, `body`, `points`, `option`, `label`, `comment`, `footer`,
 * `alert`, `retry`, `buttons`, `primary`, `secondary`, `cancel`, `close`, `busy`.
 */
export interface RetentionFlow {
  customer?: Customer;
  /** In place of the attribute `customer-token`. */
  customerToken?: string | FetchCustomerToken;
  messages?: Partial<Messages>;
  /**
   * Shows the flow. Resolves as soon as it has ended; the thanks may still be on the screen. After `contacted`, the
   * customer may still leave: the event `retention-flow:canceled` tells that. Never rejects. While the
   * dialog is open, returns the same promise again.
   */
  show(options?: ShowOptions): Promise<Result>;
  /** Closes the dialog, as the customer can. The session stays open. */
  close(): void;
}

/**
 * The attributes of `<retention-flow>`, and the properties that React 19 and Preact set. React 18 turns these into
 * attributes, which are not read: set them by a `ref`.
 */
export interface FlowAttributes extends Pick<RetentionFlow, 'customer' | 'customerToken' | 'messages'> {
  flow?: string;
  api?: string;
  'cancel-url'?: string;
  'customer-token'?: string;
  'customer-id'?: string;
  lang?: string;
  'color-scheme'?: 'light' | 'dark' | 'auto';
  [message: `message-${string}`]: string | undefined;
}

export declare class RetentionFlowElement extends HTMLElement implements RetentionFlow {
  customer?: Customer;
  customerToken?: string | FetchCustomerToken;
  messages?: Partial<Messages>;
  show(options?: ShowOptions): Promise<Result>;
  close(): void;
}

/**
 * Shows a flow, or a session that exists already, without an element in the page. While the dialog is open, returns the
 * same promise again.
 */
export declare function show(options: ShowOptions & ({ flow: string } | { sessionId: string })): Promise<Result>;

declare global {
  interface HTMLElementTagNameMap {
    'retention-flow': HTMLElement & RetentionFlow;
  }
  interface HTMLAnchorElement {
    /** Of a link with `data-retention-flow`, in place of `data-customer-token`. */
    customerToken?: string | FetchCustomerToken;
  }
  interface GlobalEventHandlersEventMap extends RetentionFlowEventMap {}
}

// For JSX. A project without React or without Preact ignores its part.
/* oxlint-disable typescript/no-redundant-type-constituents */
// @ts-ignore
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      // @ts-ignore
      'retention-flow': FlowAttributes & DetailedHTMLProps<HTMLAttributes<RetentionFlowElement>, RetentionFlowElement>;
    }
  }
}

// @ts-ignore
declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      // @ts-ignore
      'retention-flow': FlowAttributes & import('preact').HTMLAttributes<RetentionFlowElement>;
    }
  }
}
