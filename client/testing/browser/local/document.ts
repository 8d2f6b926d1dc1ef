import { validateDocument } from 'shapes';
import { parse } from 'yaml';
import { inDocument, mapNames, repeatsIn } from '../../../../src/configuration/names';
import { offersOfContent } from '../../../../src/flows/flow-content';
import { formOfValue } from '../../../../src/conditions/comparisons';
import { conditionsIn } from '../../../../src/flows/graph/branch-conditions';
import type { ConditionGroup } from '../../../../src/conditions/condition.dto';
import type { FlowDefinition } from '../../../../src/flows/graph/flow-definition';
import { audienceFaults } from '../../../../src/flows/graph/flow-faults';
import { conditionsOf, faultsOfWhen } from '../../../../src/conditions/conditions';
import { newFlow } from '../../../../src/flows/new-flow';
import type { FlowContent } from '../../../../src/flows/versions/flow-version.entity';
import { newContent } from '../../../../src/offers/fields';
import { faultsOfOffer } from '../../../../src/offers/offer-faults';
import type { WrittenOffer } from '../../../../src/offers/shown-offer';
import { jsonPointer } from '../../../../src/platform/api/problems/json-pointer';
import { type FieldError, Problem } from '../../../../src/platform/api/problems/problem';
import { isPlainObject } from '../../../../src/platform/common/json';
import { canonicalTag } from '../../../../src/platform/text/languages';
import { NO_BRAND, PRIMARY_COLOR, setIn } from '../../../../src/workspaces/brand';
import type { Body, Branding } from '../../../src/types';
import { refused, shapeFaults, within } from './faults';

type Document = Body<'config_apply'>;
type FlowEntry = NonNullable<Document['flows']>[number];
type OfferEntry = NonNullable<Document['offers']>[number];

/** A flow as the service has it once its document is applied. The keys of offers and audiences are their ids. */
export interface LocalFlow {
  content: FlowContent;
  /** Those that can be presented, by key. */
  offers: Map<string, WrittenOffer>;
  /** The conditions of each, by key. */
  audiences: Map<string, ConditionGroup>;
  branding: Branding;
}

/**
 * Reads a flow of a document.
 *
 * @param wanted the key of the flow; without it, the first
 * @throws Error with a line for each fault
 */
export function flowIn(yaml: string, wanted?: string): LocalFlow {
  const document = read(yaml);
  const { flows = [], offers: entries = [], audiences: named = [], settings } = document;
  const at = wanted === undefined ? 0 : flows.findIndex(({ key }) => key === wanted);
  if (!flows[at]) {
    const keys = flows.map(({ key }) => key).join(', ') || 'none';
    const message = wanted === undefined ? 'is missing' : `has no "${wanted}", only ${keys}`;
    throw refused('The document', [{ pointer: '/flows', message }]);
  }
  const offers = entries.map((entry) => ({ isActive: entry.status !== 'archived', offer: offerOf(entry) }));
  const audiences = new Map(named.map(({ key, when }) => [key, when]));
  const made = contentOf(flows[at]);
  const content = 'faults' in made ? undefined : made;
  const faults = [
    ...repeatsIn(entries, 'offers', 'key'),
    ...repeatsIn(named, 'audiences', 'key'),
    ...repeatsIn(flows, 'flows', 'key'),
    ...offers.flatMap(({ offer }, index) =>
      within(`/offers/${index}`, [
        ...faultsOfOffer(offer),
        ...(offer.when ? within('/when', faultsOfValues(conditionsOf(offer.when))) : []),
      ]),
    ),
    ...named.flatMap(({ when }, index) =>
      within(`/audiences/${index}`, [...faultsOfWhen(when), ...within('/when', faultsOfValues(conditionsOf(when)))]),
    ),
    ...within(
      `/flows/${at}`,
      'faults' in made ? made.faults : faultsOfNames(made, new Set(entries.map(({ key }) => key)), audiences),
    ),
  ];
  if (!content || faults.length > 0) throw refused('The document', faults);
  return {
    content,
    offers: new Map(offers.filter(({ isActive }) => isActive).map(({ offer }) => [offer.id, offer])),
    audiences,
    branding: {
      primary_color: settings?.primary_color ?? PRIMARY_COLOR,
      logo_url: settings?.logo_url ?? '',
      ...setIn({ ...NO_BRAND, ...settings?.brand }),
    },
  };
}

/** What a text of YAML or JSON says, in the shape of a document. */
function read(yaml: string): Document {
  if (typeof yaml !== 'string')
    throw refused('The document', [{ pointer: '', message: 'must be the text of a document' }]);
  let written: unknown;
  try {
    // As it is sent to the service.
    written = JSON.parse(JSON.stringify(parse(yaml)));
  } catch (error) {
    throw refused('The document', [{ pointer: '', message: `is no YAML: ${(error as Error).message.trim()}` }]);
  }
  const faults: FieldError[] = [];
  const document = withTags(written, [], faults);
  faults.push(...shapeFaults(validateDocument, document));
  if (faults.length > 0) throw refused('The document', faults);
  return document as Document;
}

/** What is the team's own in a document: no language is read there. */
const OWN = ['data', 'metadata'];

/** A part of a document with its language tags in canonical form. */
function withTags(part: unknown, path: (string | number)[], faults: FieldError[]): unknown {
  if (Array.isArray(part)) return part.map((one, index) => withTags(one, [...path, index], faults));
  if (!isPlainObject(part)) return part;
  const isByLanguage = path.at(-1) === 'translations';
  const seen = new Set<string>();
  const entries = Object.entries(part).map(([name, value]) => {
    const at = [...path, name];
    if (name === 'locale' && typeof value === 'string') return [name, tagOf(value, at, faults)];
    if (OWN.includes(name)) return [name, value];
    const tag = isByLanguage ? tagOf(name, at, faults) : name;
    if (seen.has(tag)) faults.push({ pointer: jsonPointer(...at), message: 'is given twice' });
    seen.add(tag);
    return [tag, withTags(value, at, faults)];
  });
  return Object.fromEntries(entries);
}

function tagOf(written: string, path: (string | number)[], faults: FieldError[]): string {
  const tag = canonicalTag(written);
  if (tag === undefined) faults.push({ pointer: jsonPointer(...path), message: 'must be a language tag, like de' });
  return tag ?? written;
}

function offerOf({ key, ...entry }: OfferEntry): WrittenOffer {
  const { image } = entry;
  return newContent({ ...entry, ...(image && { image: loaded(image) }), id: key });
}

/** What the service makes of a flow, or why it refuses it. */
function contentOf(entry: FlowEntry): FlowContent | { faults: FieldError[] } {
  const { key: id, cancellation_url = '', offer_keys, definition, exit: _, ...others } = entry;
  const named = { ...(offer_keys && { offer_ids: offer_keys }), ...(definition && { definition: inIds(definition) }) };
  try {
    return newFlow({ ...others, ...named, cancellation_url, id }).content;
  } catch (error) {
    if (error instanceof Problem) return { faults: toldInDocument(error.fields) };
    throw error;
  }
}

/** A graph of a document with ids, which are the keys here. */
function inIds(definition: object): FlowDefinition {
  const named = mapNames(definition, {
    offer: ({ offer_key, ...config }) => ({ ...config, offer_id: offer_key }),
    audience: ({ audience_key, ...condition }) => ({ ...condition, audience: audience_key }),
  }) as FlowDefinition;
  const nodes = named.nodes.map((node) =>
    'image' in node.config && node.config.image
      ? ({ ...node, config: { ...node.config, image: loaded(node.config.image) } } as typeof node)
      : node,
  );
  return { ...named, nodes };
}

/** A picture as a page loads it: a file by its path, relative to the page. */
function loaded({ alt, ...from }: { alt: string; url?: string; file?: string }) {
  return { url: from.url ?? from.file!, alt };
}

/** Offers and audiences that the document doesn't have, and values that don't fit their comparison. */
function faultsOfNames(content: FlowContent, offers: Set<string>, audiences: LocalFlow['audiences']): FieldError[] {
  const { definition } = content;
  return toldInDocument([
    ...offersOfContent(content)
      .filter(({ id }) => !offers.has(id))
      .map(({ pointer }) => ({ pointer, message: 'is no offer of the document' })),
    ...within('/definition', [...audienceFaults(definition, audiences), ...faultsOfValues(conditionsIn(definition))]),
  ]);
}

const toldInDocument = (faults: FieldError[]): FieldError[] =>
  faults.map(({ pointer, message }) => ({ pointer: inDocument(pointer), message }));

/** Values that do not fit how they are compared. */
function faultsOfValues(conditions: ReturnType<typeof conditionsOf>): FieldError[] {
  return conditions.flatMap(({ condition, path }) => {
    if ('audience' in condition) return [];
    const { value, is } = condition;
    const form = formOfValue(condition);
    const fits = {
      one: value !== undefined && !Array.isArray(value),
      list: Array.isArray(value),
      number: typeof value === 'number',
      none: value === undefined,
    }[form];
    const wanted = { one: 'one value', list: 'a list', number: 'a number', none: 'missing' }[form];
    return fits ? [] : [{ pointer: jsonPointer(...path, 'value'), message: `must be ${wanted} for ${is}` }];
  });
}
