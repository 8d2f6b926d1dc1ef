import type { FlowDefinition, FlowNode } from '../../flows/flow-definition';
import { nodeOf } from '../../flows/flow-definition';

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

const OWN_ACTIONS: Record<FlowNode['type'], StepAction[]> = {
  start: ['continue'],
  survey: ['answer'],
  offer: ['accept', 'decline'],
  confirm: ['confirm'],
};

type OfferOf<Offer> = (id: string) => Offer | undefined;

/** Actions that lead to another node. */
const GOES_ON: StepAction[] = ['continue', 'answer', 'decline'];

/**
 * Where a step leads, from where a session stands.
 *
 * @param taken the steps of the session so far, oldest first; only needed if the step `mayBeRepeated`
 * @param offerOf the offer with an id, if it can be presented now; only asked for offers in `offersAheadOf`
 */
export function nextStep<Offer>(
  definition: FlowDefinition,
  standing: Standing<Offer>,
  taken: TakenStep<Offer>[],
  step: Step,
  offerOf: OfferOf<Offer>,
): StepResult<Offer> {
  const repeated = taken.findIndex((earlier) => isSame(earlier, step));
  if (repeated >= 0) return { kind: 'repeated', standing: standingAfter(repeated, taken, standing) };
  if (standing.status !== 'in_progress') return { kind: 'conflict' };

  const node = nodeOf(definition, standing.node_key);
  if (!leaves(step)) {
    const misfit = misfitOf(definition, node, step);
    if (misfit) return misfit;
  } else if (step.option !== undefined) {
    return { kind: 'invalid', field: 'option', message: `is not taken with ${step.action}` };
  } else if (step.comment !== undefined) {
    return { kind: 'invalid', field: 'comment', message: `is not taken with ${step.action}` };
  }
  return {
    kind: 'taken',
    step: { ...step, node_key: node.key, offer: standing.presented_offer },
    standing: standingFrom(definition, node, standing, step, offerOf),
  };
}

/**
 * Whether a step may have been taken before. A step at the node where a session in progress stands can't: no way through a
 * graph passes a node twice.
 */
export function mayBeRepeated({ status, node_key }: Standing<unknown>, step: Step): boolean {
  return status !== 'in_progress' || !(leaves(step) || step.node_key === node_key);
}

/** The offers that a step may present, by id: those that it leads to, one behind the other. */
export function offersAheadOf(definition: FlowDefinition, { node_key, action, option }: Step): string[] {
  const from = definition.nodes.find(({ key }) => key === node_key);
  if (!from || from.type === 'confirm' || !GOES_ON.includes(action)) return [];
  const ids: string[] = [];
  let node = nodeOf(definition, targetOf(from, option));
  for (; node.type === 'offer'; node = nodeOf(definition, node.next)) ids.push(node.config.offer_id);
  return ids;
}

/** Why a step can't be taken at the node; undefined if it can. */
function misfitOf(definition: FlowDefinition, node: FlowNode, step: Step): StepResult<never> | undefined {
  const invalid = (field: keyof Step, message: string) => ({ kind: 'invalid' as const, field, message });
  if (!definition.nodes.some(({ key }) => key === step.node_key))
    return invalid('node_key', 'is not a node of the flow');
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

function standingFrom<Offer>(
  definition: FlowDefinition,
  node: FlowNode,
  { presented_offer }: Standing<Offer>,
  { action, option }: Step,
  offerOf: OfferOf<Offer>,
): Standing<Offer> {
  const ended = { node_key: node.key, presented_offer: null, accepted_offer: null };
  if (action === 'cancel' || action === 'confirm') return { ...ended, status: 'canceled' };
  if (action === 'keep') return { ...ended, status: 'saved' };
  if (action === 'accept') return { ...ended, status: 'saved', accepted_offer: presented_offer };
  return arriveAt(definition, targetOf(node, option), offerOf);
}

/** The key of the next node. A chosen option may have its own. A confirm has none, because its actions end the session. */
function targetOf(node: FlowNode, option: string | undefined): string {
  if (node.type === 'confirm') throw new Error('a confirm leads nowhere');
  if (node.type !== 'survey') return node.next;
  return node.config.options.find(({ value }) => value === option)?.next ?? node.next;
}

/** The standing of a session that gets to a node. Offers that can't be presented are skipped. */
function arriveAt<Offer>(definition: FlowDefinition, key: string, offerOf: OfferOf<Offer>): Standing<Offer> {
  const node = nodeOf(definition, key);
  const offer = node.type === 'offer' ? offerOf(node.config.offer_id) : undefined;
  if (node.type === 'offer' && offer === undefined) return arriveAt(definition, node.next, offerOf);
  return { status: 'in_progress', node_key: key, presented_offer: offer ?? null, accepted_offer: null };
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
