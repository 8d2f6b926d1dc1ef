import type { FlowDefinition } from '../../src/flows/graph/flow-definition';
import type { WrittenOffer } from '../../src/offers/shown-offer';
import {
  type Context,
  nextStep,
  type Position,
  positionAt,
  type Step,
  type TakenStep,
} from '../../src/runtime/step/next-step';

/** Offers by their headings: nothing else of an offer matters to where a step leads. */
export const offersOf = (headings: Map<string, string>) =>
  new Map([...headings].map(([id, heading]) => [id, offerOf(id, heading)]));

function offerOf(id: string, heading: string): WrittenOffer {
  const texts = {
    heading,
    body: '',
    cta_accept: 'Accept offer',
    cta_decline: 'No thanks',
    accepted_title: '',
    accepted_body: '',
  };
  const terms = { offer_type: 'custom', offer_value: '', offer_duration: '' } as const;
  const none = { accept_url: null, metadata: {}, limit: null, terms: null, translations: {}, image: null, points: [] };
  const offered = { available: null, when: null };
  const custom = { outcome: 'saved', kind: null, data: null } as const;
  return { id, name: 'Offer', ...terms, ...texts, ...none, ...custom, ...offered };
}

/** A session in memory. Its offers are known by their headings. */
export class MemorySession {
  position: Position;
  readonly taken: TakenStep[] = [];

  constructor(
    readonly definition: FlowDefinition,
    public offers = new Map<string, string>(),
    readonly visitor = 'customer',
    readonly attributes: Context['attributes'] = {},
  ) {
    this.position = positionAt(definition.entry);
  }

  take(step: Step) {
    const result = nextStep(this.definition, this.position, this.taken, step, this.context);
    if (result.kind === 'taken') {
      this.taken.push(result.step);
      this.position = result.position;
    }
    return result;
  }

  get context(): Context {
    const { offers, visitor, attributes } = this;
    const customer = {
      visitor,
      attributes,
      facts: {},
      now: new Date(),
      audiences: {},
      draws: {},
      locale: 'en',
      languages: [],
    };
    return { offers: offersOf(offers), ...customer, usedUpLimit: () => undefined };
  }

  /** Takes the step on the node where the session stands. */
  here(action: Step['action'], more: Partial<Step> = {}) {
    return this.take({ node_key: this.position.node_key, action, ...more });
  }
}
