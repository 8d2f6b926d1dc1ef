import type { AcceptedOffer, Branding, Closing, Customer, Session, SessionNode } from '../src/types.ts';
export type { AcceptedOffer, Branding, Closing, Customer };

/** A node of a flow, as the service sends it. The types of nodes may grow. */
export type FlowNode = SessionNode;
export type Survey = Extract<FlowNode, { type: 'survey' }>['config'];
export type Image = NonNullable<Extract<FlowNode, { type: 'start' }>['config']['image']>;

/**
 * Called before each start, so that the token is fresh: returns one that your backend signed, or a promise of one, or
 * nothing for a customer without a token. If it fails, or is late, the customer is let go.
 */
export type FetchCustomerToken = () => string | null | undefined | PromiseLike<string | null | undefined>;

/** How a walk ended. */
export interface Result {
  /**
   * - `saved`: the customer stays. The service has confirmed it.
   * - `contacted`: the customer accepted an offer that is no save, and has not decided yet.
   * - `canceled`: the customer wants to cancel. Only the cancellation page cancels.
   * - `closed`: the customer closed the dialog. The session stays open.
   * - `unavailable`: the flow could not be shown or finished. The customer is let go to the cancellation page.
   */
  outcome: 'saved' | 'contacted' | 'canceled' | 'closed' | 'unavailable';
  /** The session's credential. */
  sessionId?: string;
  /** With `contacted`, and with `saved` if the customer accepted an offer. */
  acceptedOffer?: AcceptedOffer;
  /** Where the accepted offer leads, if it does. */
  acceptUrl?: string;
  fulfilment?: Session['fulfilment'];
  /** With `saved`: `offer_accepted` or `kept`. With `unavailable`: such as `timeout`, or the code of the problem. */
  reason?: string;
}

/** A step of the customer, as it is sent. */
export interface Step {
  node_key?: string | undefined;
  action: 'continue' | 'answer' | 'accept' | 'decline' | 'confirm' | 'keep' | 'cancel';
  option?: string | undefined;
  options?: string[] | undefined;
  comment?: string | undefined;
  months?: number | undefined;
  /** What a component of the site gives, at a node of type `custom`: any JSON. */
  result?: unknown;
}

/** What is entered at a node. */
export type Draft = Omit<Step, 'action'>;

/** What the dialog shows. */
export type Shown =
  /** No dialog. */
  | { type: 'nothing' }
  /** "One moment…" and the cancel link. */
  | { type: 'starting' }
  /** A node, and the cancel link. `draft`: what was entered there before; `busy`: the step that is under way. */
  | { type: 'node'; node: FlowNode; draft?: Draft; busy?: Step; alert?: Alert }
  /**
   * The customer stays, or has accepted an offer that is no save: a word of thanks, until it is closed. `closing`: that
   * of the offer.
   */
  | { type: 'saved'; closing?: Closing }
  | { type: 'contacted'; closing?: Closing }
  /** The customer has canceled, and reads when the subscription ends, until they go on to `url`. */
  | { type: 'canceled'; closing: Closing; url?: string };

/**
 * What a customer has to be told about the last step.
 * - `not_sent`: the step did not get through
 * - `not_confirmed`: it is not known whether the customer's "keep" or "accept" got through; nothing was promised yet
 * - `restarted`: the session was over, so a new one began at the first node; there is nothing to try again
 */
export type Alert = 'not_sent' | 'not_confirmed' | 'restarted';
