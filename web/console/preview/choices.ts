import { type Fact, isValueOf } from '../../../src/conditions/facts';
import type { Audience, Flow, Offer } from '@retention-flow/client';
import { LANGUAGES } from '../../../src/platform/text/languages';
import { OF_FLOW, OF_OFFER } from '../../../src/platform/text/placeholders';
import { kindOf } from '../flows/fact-words';

type Definition = Flow['definition'];
type Value = string | number | boolean | null;

/** What decides where a preview leads, and what it says. */
export interface Choices {
  /** The attributes that conditions and texts name, with the values that conditions compare them with. */
  attributes: Map<string, Value[]>;
  /** The same of facts. */
  facts: Map<Fact, Value[]>;
  /** The splits by their keys, with the names of the arms that customers get. */
  splits: Map<string, string[]>;
}

/** {{first_name|there}} */
const PLACEHOLDER = /\{\{([^{}|]+)\|/g;

/**
 * @param offers those that the definition names
 * @param audiences those that it may name
 */
export function choicesIn(
  { nodes }: Definition,
  offers: Offer[],
  audiences: Pick<Audience, 'id' | 'when'>[] = [],
): Choices {
  const attributes = new Map<string, Value[]>();
  const facts: Choices['facts'] = new Map();
  const splits = new Map<string, string[]>();
  const addFact = (name: Fact, values: Value[]) =>
    facts.set(name, [...new Set([...(facts.get(name) ?? []), ...values])]);
  const add = (name: string, values: Value[]) =>
    attributes.set(name, [...new Set([...(attributes.get(name) ?? []), ...values])]);
  const addPlaceholders = (texts: (string | undefined)[], own: string[]) => {
    for (const [, name] of texts.join(' ').matchAll(PLACEHOLDER)) if (!own.includes(name.trim())) add(name.trim(), []);
  };
  for (const node of nodes) {
    if (node.type === 'split')
      splits.set(
        node.key,
        node.config.ways.filter(({ weight }) => weight > 0).map(({ name }) => name),
      );
    else if (node.type === 'branch')
      for (const { when } of node.config.ways) addConditions(when, audiences, add, addFact);
    else if (node.type === 'custom') addPlaceholders([node.config.title], OF_FLOW);
    else if (node.type !== 'offer') addPlaceholders([node.config.title, node.config.body], OF_FLOW);
  }
  for (const { heading, body, cta_accept, cta_decline, when } of offers) {
    addPlaceholders([heading, body, cta_accept, cta_decline], OF_OFFER);
    if (when) addConditions(when, audiences, add, addFact);
  }
  return { attributes, facts, splits };
}

/** The languages to walk in: those of the service's own words, and those that it is translated into. */
export function languagesOf({ nodes }: Definition, offers: Offer[], first: string): string[] {
  const pages = nodes.map(({ config }) => config as { translations?: object });
  const translated = [...pages, ...offers].flatMap(({ translations = {} }) => Object.keys(translations));
  return [...new Set([...LANGUAGES, ...translated, ...(first ? [first] : [])])].toSorted();
}

/** The ids of the offers that a definition names. */
export function offersIn({ nodes }: Definition): string[] {
  return [...new Set(nodes.flatMap((node) => (node.type === 'offer' ? [node.config.offer_id] : [])))];
}

function addConditions(
  condition: object,
  audiences: Pick<Audience, 'id' | 'when'>[],
  add: (name: string, values: Value[]) => void,
  addFact: (name: Fact, values: Value[]) => void,
): void {
  const { all, any, audience, fact, attribute, value } = condition as {
    all?: object[];
    any?: object[];
    audience?: string;
    fact?: Fact;
    attribute?: string;
    value?: Value | Value[];
  };
  const named = audiences.find(({ id }) => id === audience);
  for (const one of all ?? any ?? (named ? [named.when] : [])) addConditions(one, audiences, add, addFact);
  if (fact !== undefined) addFact(fact, [value ?? []].flat());
  if (attribute !== undefined) add(attribute, [value ?? []].flat());
}

/** What was typed as the value of a fact. Undefined if nothing was, or it can't be one. */
export function factOf(fact: Fact, typed: string): string | number | boolean | undefined {
  const text = typed.trim();
  const { type } = kindOf(fact);
  const value = type === 'string' ? text : type === 'number' ? Number(text) : text === 'true';
  return text === '' || !isValueOf(fact, value) || Number.isNaN(value) ? undefined : value;
}

/** What was typed as the value that is meant: conditions tell "10" from 10. Undefined if nothing was typed. */
export function valueOf(typed: string, known: Value[]): Value | undefined {
  if (typed.trim() === '') return undefined;
  if (known.every((value) => typeof value === 'string')) return typed;
  if (typed === 'true' || typed === 'false') return typed === 'true';
  return Number.isNaN(Number(typed)) ? typed : Number(typed);
}
