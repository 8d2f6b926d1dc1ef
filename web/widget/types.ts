import type { AcceptedOffer } from './v1.d';

export type { AcceptedOffer, Customer, Result } from './v1.d';

/** A node of a flow, as the service sends it (the `node` of a session). The types of nodes may grow. */
export type FlowNode =
  | { key: string; type: 'start' | 'confirm'; config: Page }
  | { key: string; type: 'survey'; config: Survey }
  | { key: string; type: 'offer'; config: Offer };

export interface Page {
  title: string;
  body?: string;
}

export interface Survey {
  title: string;
  body?: string;
  options: { value: string; label: string }[];
  /** Whether a comment may or must be given. Without it, none is taken. */
  comment?: 'optional' | 'required';
}

/** An offer as it is shown. */
export interface Offer extends AcceptedOffer {
  cta_accept: string;
  cta_decline: string;
}

export interface Branding {
  primary_color: string;
  logo_url: string;
}

/** A step of the customer, as it is sent. */
export interface Step {
  node_key?: string;
  action: 'continue' | 'answer' | 'accept' | 'decline' | 'confirm' | 'keep' | 'cancel';
  option?: string;
  comment?: string;
}

/** What the dialog shows. */
export type View =
  /** No dialog. */
  | { show: 'nothing' }
  /** "One moment…" and the cancel link. */
  | { show: 'starting' }
  /** A node, and the cancel link. `busy`: the step that is under way. */
  | { show: 'node'; node: FlowNode; busy?: Step; alert?: Alert }
  /** The customer stays: a word of thanks, until it is closed. */
  | { show: 'saved'; acceptedOffer?: AcceptedOffer };

/**
 * Why a step has to be tried again.
 * - `not_sent`: the step did not get through
 * - `not_confirmed`: it is not known whether the customer's "keep" or "accept" got through; nothing was promised yet
 */
export type Alert = 'not_sent' | 'not_confirmed';
