import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../platform/common/json';
import {
  type FlowDefinition,
  isSilent,
  nodeOf,
  type ShownNode,
  shownNodeOf,
  type SurveyConfig,
  type SurveyOption,
} from '../../flows/graph/flow-definition';
import {
  type AcceptedOffer,
  acceptedWith,
  monthsToChoose,
  show,
  type ShownOffer,
  type WrittenOffer,
} from '../../offers/shown-offer';
import { whyNotOffered } from '../../offers/offered';
import { effectAttributes, type Eligibilities, eligibilityOf, type WithheldReason } from '../../sessions/eligibility';
import type { SessionOutcome } from '../../sessions/session-status';
import type { RecordedAction, StepAction } from '../../sessions/session-step.entity';
import { type Known, pathThrough } from './silent-nodes';

/** A customer's action. `keep` and `cancel` work at every node; their `node_key` is ignored. */
export interface Step {
  node_key?: string;
  action: StepAction;
  option?: string;
  /** In place of `option`, where the survey takes several. */
  options?: string[];
  comment?: string;
  /** How long the accepted pause lasts, where the customer chooses. */
  months?: number;
  /** What the site's own component gave, at a node of type `custom`. */
  result?: Json;
}

type Answer = Pick<Step, 'option' | 'options'>;

/**
 * A step that was taken: at a node, with the offer that was presented there. The comment is at `option` where there are
 * several `options`.
 */
export interface TakenStep extends Omit<Step, 'action'> {
  node_key: string;
  action: RecordedAction;
  offer: ShownOffer | null;
  /** The arm or condition at each silent node between this node and the next, by the key of the silent node. */
  ways?: Record<string, string>;
  /** Why offers were passed over before the next node, or one was refused at this one, by their ids. */
  withheld?: Record<string, WithheldReason>;
}

/**
 * Where a session is: at a node of its version or, with another status, at its end. From `contacted`, it may still be
 * canceled.
 */
export interface Position {
  status: SessionOutcome;
  /** The node; after the end, the node of the last step. */
  node_key: string;
  /** The offer that is presented at an offer node, as it was when the session got there. */
  presented_offer: ShownOffer | null;
  accepted_offer: AcceptedOffer | null;
}

export type StepResult =
  | { kind: 'taken'; step: TakenStep; position: Position }
  /** The same step was taken before: `position` is where it led then. */
  | { kind: 'repeated'; step: TakenStep; position: Position }
  /** A different step at a node that was passed, or any step after the end. */
  | { kind: 'conflict' }
  /** The step does not fit the node, because of `field`. */
  | { kind: 'invalid'; field: keyof Step; message: string };

/** Everything that decides where a step leads, besides the graph and the earlier steps. */
export interface Context {
  /** The offers that can be presented now, as their workspace wrote them, by id. Only those of `aheadOf` are needed. */
  offers: Map<string, WrittenOffer>;
  /** The languages to look for the customer's words in. */
  languages: readonly string[];
  /** How to write the customer's amounts and dates. */
  locale: string;
  /** Gets the same arm of a split each time: the id of the customer, or of the session without one. */
  visitor: string;
  arms?: Known['arms'];
  /** The customer's attributes, as the site gave them. */
  attributes: Known['attributes'];
  facts: Known['facts'];
  /** When the step is taken. */
  now: Date;
  audiences: Known['audiences'];
  draws: Known['draws'];
  /** Which offers the customer could get, as far as it is known. */
  eligibility?: Eligibilities | null;
  /** Whether the service reaches the customer's subscription, so that the billing system was asked for it. */
  isReachable?: boolean;
  /** Whether the customer was erased: what they wrote in earlier steps is not known. */
  isErased?: boolean;
  /** The limit that keeps the customer from accepting the offer once more: its own, or the workspace's; if any. */
  usedUpLimit: (offer: Pick<ShownOffer, 'id' | 'limit'>) => 'limit' | 'offer_limit' | undefined;
}

/** The position of a session in progress at a node, with the offer that is presented there. */
export function positionAt(node_key: string, offer?: ShownOffer | null): Position {
  return { status: 'in_progress', node_key, presented_offer: offer ?? null, accepted_offer: null };
}

const ONLY = 'is only for a survey';

const OWN_ACTIONS: Record<ShownNode['type'], StepAction[]> = {
  start: ['continue'],
  survey: ['answer'],
  offer: ['accept', 'decline'],
  confirm: ['confirm'],
  custom: ['answer'],
};

/**
 * Where a step leads from the position of a session.
 *
 * @param taken the steps of the session so far, oldest first; only needed if the step `mayBeRepeated` or has silent
 *   nodes ahead
 */
export function nextStep(
  definition: FlowDefinition,
  position: Position,
  taken: TakenStep[],
  step: Step,
  context: Context,
): StepResult {
  const repeated = taken.findIndex((earlier) => isSame(earlier, step, context.isErased));
  if (repeated >= 0) {
    const following = taken.at(repeated + 1);
    return {
      kind: 'repeated',
      step: taken[repeated],
      position: following ? positionAt(following.node_key, following.offer) : position,
    };
  }
  // Who is contacted has decided nothing, and may leave.
  const isOpen = position.status === 'in_progress' || (position.status === 'contacted' && step.action === 'cancel');
  if (!isOpen) return { kind: 'conflict' };

  const node = shownNodeOf(definition, position.node_key);
  const misfit = misfitOf(definition, node, position.presented_offer, step);
  if (misfit) return misfit;
  const taking: TakenStep = { ...step, ...answerOf(node, step), node_key: node.key, offer: position.presented_offer };
  const { presented_offer: offer } = position;
  const usedUp = step.action === 'accept' && offer !== null ? context.usedUpLimit(offer) : undefined;
  const end = usedUp ? undefined : endOf(position, taking);
  if (end) return { kind: 'taken', step: taking, position: end };
  if (usedUp) taking.action = 'refused';
  const arrival = arriveAt(definition, targetOf(node, step), [...taken, taking], context);
  const withheld = { ...(usedUp && { [offer!.id]: usedUp }), ...arrival.passedOver };
  return {
    kind: 'taken',
    step: { ...taking, ways: arrival.ways, ...(Object.keys(withheld).length > 0 && { withheld }) },
    position: arrival.position,
  };
}

/**
 * Whether a step may have been taken before. A step at the node of a session in progress can't: no path through a
 * graph passes a node twice.
 */
export function mayBeRepeated({ status, node_key }: Position, step: Step): boolean {
  return status !== 'in_progress' || !(leaves(step) || step.node_key === node_key);
}

/** Why a step can't be taken at the node; undefined if it can. */
function misfitOf(
  definition: FlowDefinition,
  node: ShownNode,
  offer: ShownOffer | null,
  step: Step,
): StepResult | undefined {
  const invalid = (field: keyof Step, message: string) => ({ kind: 'invalid' as const, field, message });
  if (leaves(step)) {
    const extra = (['option', 'options', 'comment', 'months', 'result'] as const).find(
      (field) => step[field] !== undefined,
    );
    return extra && invalid(extra, `is not taken with ${step.action}`);
  }
  const named = definition.nodes.find(({ key }) => key === step.node_key);
  if (!named) return invalid('node_key', 'is not a node of the flow');
  if (isSilent(named)) return invalid('node_key', `is a ${named.type}, which takes no steps`);
  if (step.node_key !== node.key) return { kind: 'conflict' };
  const actions: StepAction[] = [...OWN_ACTIONS[node.type], 'keep', 'cancel'];
  if (!actions.includes(step.action)) {
    return invalid('action', `must be one of ${actions.join(', ')} at a node of type ${node.type}`);
  }
  const survey = node.type === 'survey' ? node.config : undefined;
  const [asked, other] = survey?.multiple ? (['options', 'option'] as const) : (['option', 'options'] as const);
  if (step[other] !== undefined) return invalid(other, survey ? `is not taken by this survey: send ${asked}` : ONLY);
  if (!survey && step[asked] !== undefined) return invalid(asked, ONLY);
  if (survey && !areOffered(survey, step[asked])) {
    return invalid(asked, `must be ${survey.multiple ? 'a list' : 'one'} of the options of the survey`);
  }
  if (!survey?.comment && step.comment !== undefined) return invalid('comment', 'is not taken at this node');
  if (survey?.comment === 'required' && !step.comment?.trim()) return invalid('comment', 'is required at this node');
  const months = step.action === 'accept' && offer ? monthsToChoose(offer) : undefined;
  if (!months && step.months !== undefined)
    return invalid('months', 'is only for accepting an offer with months to choose');
  if (months && !months.includes(step.months!)) return invalid('months', `must be one of ${months.join(', ')}`);
  if (node.type !== 'custom' && step.result !== undefined)
    return invalid('result', 'is only for a node of type custom');
  return undefined;
}

/** The end that a step leads to; undefined if it leads to another node. */
function endOf({ presented_offer }: Position, { node_key, action, months }: TakenStep): Position | undefined {
  const ended = { node_key, presented_offer: null, accepted_offer: null };
  if (action === 'cancel' || action === 'confirm') return { ...ended, status: 'canceled' };
  if (action === 'keep') return { ...ended, status: 'saved' };
  if (action === 'accept') {
    const status = presented_offer?.outcome === 'open' ? 'contacted' : 'saved';
    return { ...ended, status, accepted_offer: presented_offer && acceptedWith(presented_offer, months) };
  }
  return undefined;
}

/**
 * The key of the next node: the `next` of the first chosen option with one, or else of the node. A confirm has none,
 * because its actions end the session.
 */
export function targetOf(node: ShownNode, step: Answer): string {
  if (node.type === 'confirm') throw new Error('a confirm leads nowhere');
  if (node.type !== 'survey') return node.next;
  return optionsOf(node.config, step).find(({ next }) => next !== undefined)?.next ?? node.next;
}

function chosenOf({ option, options }: Answer): string[] {
  return options ?? (option === undefined ? [] : [option]);
}

/** The chosen options, in the survey's order. */
function optionsOf({ options }: SurveyConfig, step: Answer): SurveyOption[] {
  return options.filter(({ value }) => chosenOf(step).includes(value));
}

/**
 * The recorded answer to a survey that takes several. The comment is on the first option that asks for one, or else the
 * first.
 */
function answerOf(node: ShownNode, step: Answer): Answer {
  if (node.type !== 'survey' || !step.options) return {};
  const chosen = optionsOf(node.config, step);
  const commented = chosen.find(({ comment_label }) => comment_label) ?? chosen.at(0);
  return { option: commented?.value, options: chosen.map(({ value }) => value) };
}

/** Whether an answer, or each of several, is an option of the survey. */
function areOffered({ options }: SurveyConfig, answer: string | string[] | undefined): boolean {
  return answer !== undefined && [answer].flat().every((one) => options.some(({ value }) => value === one));
}

/** Where a customer lands, skipping silent nodes and offers that are withheld. */
function arriveAt(
  definition: FlowDefinition,
  key: string,
  taken: TakenStep[],
  context: Context,
): { position: Position; ways?: Record<string, string>; passedOver: NonNullable<TakenStep['withheld']> } {
  const { visitor, attributes, facts, audiences, draws, arms } = context;
  const answers = new Map(
    taken.filter(({ option }) => option !== undefined).map((step) => [step.node_key, chosenOf(step)]),
  );
  const results = new Map(taken.map(({ node_key, result }) => [node_key, result ?? undefined]));
  const passed: [key: string, path: string][] = [];
  const passedOver: NonNullable<TakenStep['withheld']> = {};
  for (let node = nodeOf(definition, key); ;) {
    const id = node.type === 'offer' ? node.config.offer_id : undefined;
    const reason = id === undefined ? undefined : reasonToWithhold(id, context);
    if (isSilent(node)) {
      const path = pathThrough(node, visitor, { attributes, facts, audiences, draws, answers, results, arms });
      passed.push([node.key, path.name]);
      node = nodeOf(definition, path.next);
    } else if (node.type === 'offer' && reason) {
      passedOver[node.config.offer_id] ??= reason;
      node = nodeOf(definition, node.next);
    } else {
      const ways = passed.length > 0 ? Object.fromEntries(passed) : undefined;
      return { position: positionAt(node.key, id === undefined ? null : offerFor(id, context)), ways, passedOver };
    }
  }
}

/** Why an offer is passed over; undefined if it is shown. */
function reasonToWithhold(id: string, context: Context): WithheldReason | undefined {
  const { offers, eligibility, isReachable, usedUpLimit } = context;
  const offer = offers.get(id);
  if (!offer) return 'archived';
  const own = whyNotOffered(offer, context, context.now);
  if (own) return own;
  const usedUp = usedUpLimit(offer);
  if (usedUp) return usedUp;
  const known = eligibilityOf(offer, eligibility);
  const isNaming = offer.terms?.coupon !== undefined || offer.terms?.price !== undefined;
  return isReachable && isNaming && !known ? 'unread' : known?.obstacle;
}

/** The offer as it is shown. The workspace's own attributes come before prices of the same name. */
function offerFor(id: string, { offers, languages, attributes, eligibility, locale }: Context): ShownOffer {
  const offer = offers.get(id)!;
  const known = eligibilityOf(offer, eligibility);
  return show(offer, attributes, languages, (months) => (known ? effectAttributes(known, months, locale) : {}));
}

/** Whether a step ends the session at any node. */
function leaves({ action }: Pick<TakenStep, 'action'>): boolean {
  return action === 'keep' || action === 'cancel';
}

/** Several answers are the same in any order. */
function isSameAnswer(earlier: TakenStep, step: Step): boolean {
  if (!earlier.options || !step.options) return earlier.options === step.options && earlier.option === step.option;
  const { options } = step;
  return options.length === earlier.options.length && earlier.options.every((one) => options.includes(one));
}

function isSame(earlier: TakenStep, step: Step, isErased = false): boolean {
  const action = earlier.action === 'refused' ? 'accept' : earlier.action;
  return (
    action === step.action &&
    (leaves(step) || earlier.node_key === step.node_key) &&
    isSameAnswer(earlier, step) &&
    earlier.months === step.months &&
    // What is erased counts as equal to what is sent now.
    (isErased || (earlier.comment === step.comment && isDeepStrictEqual(earlier.result ?? null, step.result ?? null)))
  );
}
