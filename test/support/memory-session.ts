import type { FlowDefinition } from '../../src/flows/flow-definition';
import {
  type Circumstances,
  nextStep,
  type Standing,
  type Step,
  type TakenStep,
} from '../../src/runtime/step/next-step';

/** A session in memory; an offer is presented as its id and how often it was asked for. */
export class MemorySession {
  standing: Standing<string>;
  readonly taken: TakenStep<string>[] = [];

  constructor(
    readonly definition: FlowDefinition,
    public offers = new Map<string, string>(),
    readonly visitor = 'customer',
    readonly attributes: Circumstances<string>['attributes'] = {},
  ) {
    this.standing = { status: 'in_progress', node_key: definition.entry, presented_offer: null, accepted_offer: null };
  }

  take(step: Step) {
    const result = nextStep(this.definition, this.standing, this.taken, step, this.circumstances);
    if (result.kind === 'taken') {
      this.taken.push(result.step);
      this.standing = result.standing;
    }
    return result;
  }

  get circumstances(): Circumstances<string> {
    const { offers, visitor, attributes } = this;
    return { offerOf: (id) => offers.get(id), visitor, attributes };
  }

  /** Takes the step on the node where the session stands. */
  here(action: Step['action'], more: Partial<Step> = {}) {
    return this.take({ node_key: this.standing.node_key, action, ...more });
  }
}
