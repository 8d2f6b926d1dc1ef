import type { Session, StartedSession } from '../../client/src/types.ts';
export type { AcceptedOffer, Customer, FetchCustomerToken, Result } from './v1.d';

/** A node of a flow, as the service sends it. The types of nodes may grow. */
export type FlowNode = NonNullable<Session['node']>;
export type Survey = Extract<FlowNode, { type: 'survey' }>['config'];
export type Image = NonNullable<Extract<FlowNode, { type: 'start' }>['config']['image']>;
export type Branding = StartedSession['flow']['branding'];

/** A step of the customer, as it is sent. */
export interface Step {
  node_key?: string;
  action: 'continue' | 'answer' | 'accept' | 'decline' | 'confirm' | 'keep' | 'cancel';
  option?: string;
  options?: string[];
  comment?: string;
  months?: number;
}

/** What is entered at a node. */
export type Draft = Omit<Step, 'action'>;

/** What the dialog shows. */
export type View =
  /** No dialog. */
  | { show: 'nothing' }
  /** "One moment…" and the cancel link. */
  | { show: 'starting' }
  /** A node, and the cancel link. `draft`: what was entered there before; `busy`: the step that is under way. */
  | { show: 'node'; node: FlowNode; draft?: Draft; busy?: Step; alert?: Alert }
  /** The customer stays: a word of thanks, until it is closed. `closing`: that of the offer that was accepted. */
  | { show: 'saved'; closing?: Session['closing'] }
  /** The customer has accepted an offer that is no save, and reads what comes now, until it is closed. */
  | { show: 'contacted'; closing: NonNullable<Session['closing']> }
  /** The customer has canceled, and reads when the subscription ends, until they go on. */
  | { show: 'canceled'; closing: NonNullable<Session['closing']> };

/**
 * What a customer has to be told about the last step.
 * - `not_sent`: the step did not get through
 * - `not_confirmed`: it is not known whether the customer's "keep" or "accept" got through; nothing was promised yet
 * - `restarted`: the session was over, so a new one began at the first node; there is nothing to try again
 */
export type Alert = 'not_sent' | 'not_confirmed' | 'restarted';
