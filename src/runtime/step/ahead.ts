import {
  type FlowDefinition,
  isSilent,
  nodeOf,
  type OfferNode,
  type SilentNode,
  targetsOf,
} from '../../flows/graph/flow-definition';
import type { StepAction } from '../../sessions/session-step.entity';
import { type Step, targetOf } from './next-step';

/** Actions that lead to another node; `accept` does, too, if it is refused. */
const GOES_ON: StepAction[] = ['continue', 'answer', 'decline'];

/** The nodes that a step may pass before its customer sees one. */
export interface Ahead {
  /** The offers that it may present, by id. */
  offers: string[];
  /** Whether there is a branch or a split. */
  hasSilentNodes: boolean;
}

/**
 * The nodes that a step might skip before the customer sees one: offers (if they can't be presented), branches and
 * splits.
 *
 * @param mayBeRefused whether an `accept` may lead on, because the offer has a limit
 */
export function aheadOf(definition: FlowDefinition, step: Step, mayBeRefused: boolean): Ahead {
  const { node_key, action } = step;
  const passed = new Map<string, OfferNode | SilentNode>();
  const visit = (key: string) => {
    if (passed.has(key)) return;
    const node = nodeOf(definition, key);
    if (!(node.type === 'offer' || isSilent(node))) return;
    passed.set(key, node);
    for (const { target } of targetsOf(node)) visit(target);
  };
  const from = definition.nodes.find(({ key }) => key === node_key);
  const goesOn = GOES_ON.includes(action) || (action === 'accept' && mayBeRefused);
  if (from && !isSilent(from) && from.type !== 'confirm' && goesOn) visit(targetOf(from, step));
  const nodes = [...passed.values()];
  return {
    offers: nodes.flatMap((node) => (node.type === 'offer' ? node.config.offer_id : [])),
    hasSilentNodes: nodes.some(isSilent),
  };
}
