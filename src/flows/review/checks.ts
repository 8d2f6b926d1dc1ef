import { jsonPointer } from '../../platform/api/problems/json-pointer';
import type { FlowDefinition } from '../dto/flow-definition.dto';
import { nodeOf, targetsOf } from '../graph/flow-definition';
import type { FlowExit } from '../flow-exit';
import { SURVEY_POINTER } from '../graph/simple-definition';
import { isWorded, textsOf, type WordedOffer } from '../languages/flow-translations';
import type { Button } from './button';

/** The parts of a flow that are reviewed, and what its author says of the page with the button. */
export interface Reviewed {
  flow_mode: 'simple' | 'advanced';
  definition: FlowDefinition;
  exit: FlowExit | null;
  /** Whether the service sends mails. */
  sendsMails: boolean;
  /** The texts of the offers by their ids. */
  offers: Map<string, WordedOffer>;
  button: Button;
  /** The words of the link that cancels, if the page replaces them. */
  cancel_label?: string | undefined;
}

/** Words of staying and of putting off have no place on the button that declines. English and German. */
const HIDING =
  /\b(keep|stay|remain|later|maybe|not (now|today)|continue|bleib\w*|behalt\w*|später|vielleicht|jetzt nicht|weiter|fortfahren)\b/i;
/** Words that shame customers: to leave, they have to say that they like to lose. English and German. */
const SHAMING = [
  /\bi (hate|(don.?t|do not) (like|want|need|care (about|for))) (to )?(sav(e|ing) (money|\d)|(a |any |the |your |great |good )*(discount|deal|bargain)s?$)/i,
  /\bi (hate) (saving|to save|(great |good )?(deals|discounts|bargains))\b/i,
  /\bi(.d| would)? (rather|love|like|prefer|enjoy)( to)? (pay(ing)? (more|full)|wast(e|ing) money|los(e|ing) money)\b/i,
  /\bi.ll (happily |gladly )?pay (more|full price|the full price)\b/i,
  /\bich hasse\b[^.!?]*\b(sparen|rabatt\w*|ersparnis\w*|schnäppchen)\b/i,
  /\bich (mag|brauche|will|möchte)\b[^.!?]*\b(kein\w*|nicht|nichts)\b[^.!?]*\b(sparen|rabatt\w*|ersparnis\w*|schnäppchen)\b/i,
  /\bich (be)?zahle (gerne?|lieber) (mehr|voll|den vollen)|\bich (verzichte|verschwende) (gerne?|lieber)/i,
];
/** A label that names what it does, such as "Continue to cancel" or "Weiter zur Kündigung". */
const SAYS_CANCEL = /cancel|unsubscribe|terminat|kündig|beend/i;
/** More offers, or more pages with offers and questions, one after another than this are too many. */
const REASONABLE = 2;

/** The ways to look at a flow, by name: each returns JSON Pointers to what it found. */
export const CHECKS = {
  /** A button that declines an offer and does not say so. */
  hiding_label: (flow: Reviewed) =>
    offerPlaces(flow).flatMap(({ id, pointer }) => {
      const offer = flow.offers.get(id);
      const labels = offer && [
        offer.texts,
        ...Object.values(offer.translations).map((words) => ({ ...offer.texts, ...words })),
      ];
      const hides = ({ cta_decline = '', cta_accept }: Record<string, string | undefined>) =>
        hidesIn(cta_decline) || shames(cta_decline) || cta_decline === cta_accept;
      return labels?.some(hides) ? [pointer] : [];
    }),

  /** The first text of an offer or a page, but for that button, which shames whoever leaves. */
  shaming_text: (flow: Reviewed) => [
    ...offerPlaces(flow).flatMap(({ id, pointer }) => {
      const { texts = {}, translations = {} } = flow.offers.get(id) ?? {};
      const all = [texts, ...Object.values(translations)].flatMap((words) => Object.entries(words));
      return all.some(([field, text = '']) => field !== 'cta_decline' && shames(text)) ? [pointer] : [];
    }),
    ...flow.definition.nodes.flatMap((node, index) => {
      if (!isWorded(node)) return [];
      const others = Object.values(node.config.translations ?? {});
      const found = textsOf(node).find(({ text, textIn }) =>
        [text, ...others.map(textIn)].some((words) => shames(words ?? '')),
      );
      return found ? [placeOf(flow, index, found.path)] : [];
    }),
  ],

  /** An offer. */
  offer_is_shown: (flow: Reviewed) => offerPlaces(flow).map(({ pointer }) => pointer),

  /** A page on which an offer has a filled button and cancelling has none. */
  offer_is_larger: (flow: Reviewed) =>
    offerPlaces(flow)
      .slice(0, 1)
      .map(({ pointer }) => pointer),

  /** A survey that can't be answered without writing something. */
  required_answer: (flow: Reviewed) =>
    flow.definition.nodes.flatMap((node, index) => {
      if (node.type !== 'survey' || node.config.comment !== 'required') return [];
      return [placeOf(flow, index, ['comment'])];
    }),

  /** An offer that comes after others. */
  offers_in_a_row: (flow: Reviewed) => placesBehind(flow, ['offer'], REASONABLE),

  /** A question, or a page of the site's own, that comes after another one. */
  surveys_in_a_row: (flow: Reviewed) => placesBehind(flow, ['survey', 'custom'], 1),

  /** An offer or a question that comes after others. */
  screens_in_a_row: (flow: Reviewed) => placesBehind(flow, ['offer', 'survey', 'custom'], REASONABLE),

  /** Offers, and no page that is free of them. */
  offers_and_no_direct_way: (flow: Reviewed) => (offerPlaces(flow).length > 0 ? noDirectWay(flow) : []),

  /** No page that is free of offers. */
  no_direct_way: (flow: Reviewed) => noDirectWay(flow),

  /** A button of the page that leads to the flow instead of the exit page. */
  indirect_button: ({ button }: Reviewed) => (button.leadsTo === 'widget' ? [button.pointer] : []),

  /** A button that leads to a page which nobody has looked at. */
  unseen_page: ({ button }: Reviewed) => (button.leadsTo === 'own' ? [button.pointer] : []),

  /** A link that cancels and does not say so. */
  hiding_cancel_label: ({ cancel_label }: Reviewed) =>
    cancel_label !== undefined && (hidesIn(cancel_label) || shames(cancel_label)) ? ['/cancel_label'] : [],

  no_withdrawal: ({ exit }: Reviewed) => (exit?.enabled && exit.kinds.includes('withdrawal') ? [] : ['/exit']),

  /** Sessions that end without a receipt. */
  no_receipt: ({ exit }: Reviewed) => (exit?.session_receipts ? [] : [exit ? '/exit/session_receipts' : '/exit']),

  /** Receipts that are promised, by a service that sends no mails. */
  unsent_receipts: ({ exit, sendsMails }: Reviewed) =>
    !sendsMails && (exit?.enabled || exit?.session_receipts) ? ['/exit'] : [],

  /** A page that names no other way to declare. */
  no_address: ({ exit }: Reviewed) => (exit?.enabled && exit.recipient_email === null ? ['/exit/recipient_email'] : []),
} satisfies Record<string, (flow: Reviewed) => string[]>;

export type Check = keyof typeof CHECKS;

const hidesIn = (label: string) => HIDING.test(label) && !SAYS_CANCEL.test(label);
const shames = (text: string) => SHAMING.some((pattern) => pattern.test(text));

function noDirectWay(flow: Reviewed): string[] {
  return flow.button.leadsTo === 'own' || (flow.exit?.enabled && flow.exit.kinds.includes('termination'))
    ? []
    : [offerPlaces(flow)[0]?.pointer ?? '/exit'];
}

/** Where its author wrote a part of a node's config: a simple flow has one survey. */
function placeOf({ flow_mode }: Reviewed, index: number, path: (string | number)[]): string {
  const pointer = jsonPointer('nodes', index, 'config', ...path);
  return flow_mode === 'simple' ? pointer.replace(SURVEY_POINTER, '/survey') : `/definition${pointer}`;
}

/** Where its author wrote the survey at a node. */
function surveyPlace({ flow_mode }: Reviewed, index: number): string {
  return flow_mode === 'simple' ? '/survey' : `/definition${jsonPointer('nodes', index)}`;
}

/** The offers of a flow, each with the place where its author named it. */
function offerPlaces({ flow_mode, definition }: Reviewed): { id: string; key: string; pointer: string }[] {
  const nodes = definition.nodes.flatMap((node, index) =>
    node.type === 'offer' ? [{ id: node.config.offer_id, key: node.key, index }] : [],
  );
  return nodes.map(({ id, key, index }, n) => {
    const pointer = flow_mode === 'simple' ? `/offer_ids/${n}` : `/definition/nodes/${index}/config/offer_id`;
    return { id, key, pointer };
  });
}

/**
 * The pages of these types that a customer can meet after `most` others or more. A graph with faults may have circles.
 */
function placesBehind(flow: Reviewed, types: ('offer' | 'survey' | 'custom')[], most: number): string[] {
  const { definition } = flow;
  const isCounted = (type: string) => (types as string[]).includes(type);
  const keys = new Set(definition.nodes.map(({ key }) => key));
  const met = new Map<string, number>();
  const visit = (key: string, before: number, way: string[]) => {
    if (!keys.has(key) || way.includes(key) || (met.get(key) ?? -1) >= before) return;
    met.set(key, before);
    const node = nodeOf(definition, key);
    const more = before + (isCounted(node.type) ? 1 : 0);
    for (const { target } of targetsOf(node)) visit(target, more, [...way, key]);
  };
  visit(definition.entry, 0, []);
  const surveys = definition.nodes.flatMap(({ key, type }, index) =>
    type === 'survey' && isCounted(type) ? [{ key, pointer: surveyPlace(flow, index) }] : [],
  );
  return [...(isCounted('offer') ? offerPlaces(flow) : []), ...surveys]
    .filter(({ key }) => (met.get(key) ?? 0) >= most)
    .map(({ pointer }) => pointer);
}
