import {
  type FlowDefinition,
  isSilent,
  nodeOf,
  type OfferNode,
  type ShownNode,
  shownNodeOf,
  type SilentNode,
  waysFrom,
} from '../../flows/flow-definition';
import { holds, type Known } from './conditions';
import { wayFor } from './split';

export const STEP_ACTIONS = ['continue', 'answer', 'accept', 'decline', 'confirm', 'keep', 'cancel'] as const;
export type StepAction = (typeof STEP_ACTIONS)[number];

/** What a customer did. `keep` and `cancel` work at every node; their `node_key` is ignored. */
export interface Step {
  node_key?: string;
  action: StepAction;
  option?: string;
  comment?: string;
}

/** A step that was taken: at a node, with the offer that was presented there. */
export interface TakenStep<Offer> extends Step {
  node_key: string;
  offer: Offer | null;
  /** The ways through the silent nodes between this node and the next, by the key of the silent node. None if it passed none. */
  ways?: Record<string, string>;
}

export type SessionOutcome = 'in_progress' | 'saved' | 'canceled';

/** Where a session stands: at a node of its version or, with another status, at its end. */
export interface Standing<Offer> {
  status: SessionOutcome;
  /** The node; after the end, the node of the last step. */
  node_key: string;
  /** The offer that is presented at an offer node, as it was when the session got there. */
  presented_offer: Offer | null;
  accepted_offer: Offer | null;
}

export type StepResult<Offer> =
  | { kind: 'taken'; step: TakenStep<Offer>; standing: Standing<Offer> }
  /** The same step was taken before: `standing` is where it led then. */
  | { kind: 'repeated'; standing: Standing<Offer> }
  /** A different step at a node that was passed, or any step after the end. */
  | { kind: 'conflict' }
  /** The step does not fit the node, because of `field`. */
  | { kind: 'invalid'; field: keyof Step; message: string };

/** What decides where a step leads, besides the graph and the earlier steps. */
export interface Circumstances<Offer> {
  /** The offer with an id, if it can be presented now. Only asked for offers of `aheadOf`. */
  offerOf: (id: string) => Offer | undefined;
  /** Splits send it the same way each time: the id of the customer, or of the session without one. */
  visitor: string;
  /** What the site said about the customer. Only needed if the step has silent nodes ahead. */
  attributes: Known['attributes'];
}

const OWN_ACTIONS: Record<ShownNode['type'], StepAction[]> = {
  start: ['continue'],
  survey: ['answer'],
  offer: ['accept', 'decline'],
  confirm: ['confirm'],
};

/** Actions that lead to another node. */
const GOES_ON: StepAction[] = ['continue', 'answer', 'decline'];

/**
 * Where a step leads, from where a session stands.
 *
 * @param taken the steps of the session so far, oldest first; only needed if the step `mayBeRepeated` or has silent nodes ahead
 */
export function nextStep<Offer>(
  definition: FlowDefinition,
  standing: Standing<Offer>,
  taken: TakenStep<Offer>[],
  step: Step,
  circumstances: Circumstances<Offer>,
): StepResult<Offer> {
  const repeated = taken.findIndex((earlier) => isSame(earlier, step));
  if (repeated >= 0) return { kind: 'repeated', standing: standingAfter(repeated, taken, standing) };
  if (standing.status !== 'in_progress') return { kind: 'conflict' };

  const node = shownNodeOf(definition, standing.node_key);
  if (!leaves(step)) {
    const misfit = misfitOf(definition, node, step);
    if (misfit) return misfit;
  } else if (step.option !== undefined) {
    return { kind: 'invalid', field: 'option', message: `is not taken with ${step.action}` };
  } else if (step.comment !== undefined) {
    return { kind: 'invalid', field: 'comment', message: `is not taken with ${step.action}` };
  }
  const taking: TakenStep<Offer> = { ...step, node_key: node.key, offer: standing.presented_offer };
  const end = endOf(standing, taking);
  if (end) return { kind: 'taken', step: taking, standing: end };
  const arrival = arriveAt(definition, targetOf(node, step.option), [...taken, taking], circumstances);
  return { kind: 'taken', step: { ...taking, ways: arrival.ways }, standing: arrival.standing };
}

/**
 * Whether a step may have been taken before. A step at the node where a session in progress stands can't: no way through a
 * graph passes a node twice.
 */
export function mayBeRepeated({ status, node_key }: Standing<unknown>, step: Step): boolean {
  return status !== 'in_progress' || !(leaves(step) || step.node_key === node_key);
}

/** What a step may pass before its customer sees a node. */
export interface Ahead {
  /** The offers that it may present, by id. */
  offers: string[];
  /** Whether there is a branch or a split. */
  hasSilentNodes: boolean;
}

/** What a step leads to, one behind the other: offers, which are passed if they can't be presented, and silent nodes. */
export function aheadOf(definition: FlowDefinition, { node_key, action, option }: Step): Ahead {
  const passed = new Map<string, OfferNode | SilentNode>();
  const visit = (key: string) => {
    if (passed.has(key)) return;
    const node = nodeOf(definition, key);
    if (!(node.type === 'offer' || isSilent(node))) return;
    passed.set(key, node);
    for (const { target } of waysFrom(node)) visit(target);
  };
  const from = definition.nodes.find(({ key }) => key === node_key);
  if (from && !isSilent(from) && from.type !== 'confirm' && GOES_ON.includes(action)) visit(targetOf(from, option));
  const nodes = [...passed.values()];
  return {
    offers: nodes.flatMap((node) => (node.type === 'offer' ? node.config.offer_id : [])),
    hasSilentNodes: nodes.some(isSilent),
  };
}

/** Why a step can't be taken at the node; undefined if it can. */
function misfitOf(definition: FlowDefinition, node: ShownNode, step: Step): StepResult<never> | undefined {
  const invalid = (field: keyof Step, message: string) => ({ kind: 'invalid' as const, field, message });
  const named = definition.nodes.find(({ key }) => key === step.node_key);
  if (!named) return invalid('node_key', 'is not a node of the flow');
  if (isSilent(named)) return invalid('node_key', `is a ${named.type}, which takes no steps`);
  if (step.node_key !== node.key) return { kind: 'conflict' };
  const actions: StepAction[] = [...OWN_ACTIONS[node.type], 'keep', 'cancel'];
  if (!actions.includes(step.action)) {
    return invalid('action', `must be one of ${actions.join(', ')} at a node of type ${node.type}`);
  }
  const survey = node.type === 'survey' ? node.config : undefined;
  if (!survey && step.option !== undefined) return invalid('option', 'is only for a survey');
  if (survey && !survey.options.some(({ value }) => value === step.option)) {
    return invalid('option', 'must be one of the options of the survey');
  }
  if (!survey?.comment && step.comment !== undefined) return invalid('comment', 'is not taken at this node');
  if (survey?.comment === 'required' && !step.comment?.trim()) return invalid('comment', 'is required at this node');
  return undefined;
}

/** The end that a step leads to; undefined if it leads to another node. */
function endOf<Offer>(
  { presented_offer }: Standing<Offer>,
  { node_key, action }: TakenStep<Offer>,
): Standing<Offer> | undefined {
  const ended = { node_key, presented_offer: null, accepted_offer: null };
  if (action === 'cancel' || action === 'confirm') return { ...ended, status: 'canceled' };
  if (action === 'keep') return { ...ended, status: 'saved' };
  if (action === 'accept') return { ...ended, status: 'saved', accepted_offer: presented_offer };
  return undefined;
}

/** The key of the next node. A chosen option may have its own. A confirm has none, because its actions end the session. */
function targetOf(node: ShownNode, option: string | undefined): string {
  if (node.type === 'confirm') throw new Error('a confirm leads nowhere');
  if (node.type !== 'survey') return node.next;
  return node.config.options.find(({ value }) => value === option)?.next ?? node.next;
}

/** Where a session stands that gets to a node. Silent nodes, and offers that can't be presented, are passed. */
function arriveAt<Offer>(
  definition: FlowDefinition,
  key: string,
  taken: TakenStep<Offer>[],
  circumstances: Circumstances<Offer>,
): { standing: Standing<Offer>; ways?: Record<string, string> } {
  const ways: [key: string, way: string][] = [];
  let node = nodeOf(definition, key);
  let offer: Offer | undefined;
  for (;;) {
    if (isSilent(node)) {
      const way = wayThrough(node, taken, circumstances);
      ways.push([node.key, way.name]);
      node = nodeOf(definition, way.next);
    } else if (node.type === 'offer' && (offer = circumstances.offerOf(node.config.offer_id)) === undefined) {
      node = nodeOf(definition, node.next);
    } else {
      return {
        standing: { status: 'in_progress', node_key: node.key, presented_offer: offer ?? null, accepted_offer: null },
        ways: ways.length > 0 ? Object.fromEntries(ways) : undefined,
      };
    }
  }
}

/** Where a silent node leads. The ways of a branch are named by their index, and `next`. */
function wayThrough(
  node: SilentNode,
  taken: TakenStep<unknown>[],
  { visitor, attributes }: Circumstances<unknown>,
): { name: string; next: string } {
  if (node.type === 'split') return wayFor(node, visitor);
  const answers = new Map(taken.flatMap(({ node_key, option }) => (option === undefined ? [] : [[node_key, option]])));
  const index = node.config.ways.findIndex(({ when }) => holds(when, { attributes, answers }));
  return index < 0 ? { name: 'next', next: node.next } : { name: String(index), next: node.config.ways[index].next };
}

/** Whether a step ends the session at any node. */
function leaves({ action }: Step): boolean {
  return action === 'keep' || action === 'cancel';
}

function isSame(earlier: Step, step: Step): boolean {
  return (
    earlier.action === step.action &&
    (leaves(step) || earlier.node_key === step.node_key) &&
    earlier.option === step.option &&
    earlier.comment === step.comment
  );
}

/** Where the step at an index led: to the node of the step after it, or to where the session stands now. */
function standingAfter<Offer>(index: number, taken: TakenStep<Offer>[], now: Standing<Offer>): Standing<Offer> {
  const following = taken.at(index + 1);
  if (!following) return now;
  return {
    status: 'in_progress',
    node_key: following.node_key,
    presented_offer: following.offer,
    accepted_offer: null,
  };
}
