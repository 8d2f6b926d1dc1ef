import type { Flow, FlowNode, Offer } from '@retention-flow/client';
import { OFFER_TEXTS, type OfferText } from '../../../../src/offers/fields';
import { CANCELED_TEXTS } from '../../../../src/flows/languages/canceled-words';
import { INPUTS } from '../flow-fields';
import { FIELD_NAMES } from '../../offers/field-names';
import { inFirst, languagesFor } from '../../../../src/platform/text/languages';
import { MAX_POINT } from '../../../../src/images/image-limits';
import { withoutBlankEnd } from '../../pictures/points';
import { isSame } from '../same';

/** The words of an offer. */
export type OfferWords = Pick<Offer, 'id' | 'name' | 'translations' | 'image' | 'points' | OfferText>;

/** What is translated: a flow and its offers, each as it is in its draft, if it has one. */
export interface Words {
  flow: Pick<Flow, 'flow_mode' | 'locale' | 'survey' | 'definition' | 'translations' | (typeof CANCELED_TEXTS)[number]>;
  offers: OfferWords[];
}

/** A text, and the same in other languages. */
export interface Text {
  /** Names it in a file for translators. */
  id: string;
  where: string;
  original: string;
  /** As it is written in a language; '' if it is not. */
  in: (language: string) => string;
  /** As customers read it. */
  shown: (language: string) => string;
  maxLength: number;
}

interface Translation {
  [field: string]: string | Record<string, string> | string[] | undefined;
}
type Translations = Record<string, Translation>;
type Page = Extract<FlowNode, { type: 'survey' }>['config'] | Extract<FlowNode, { type: 'start' }>['config'];

/** Its own texts, in their order. The service's words in a simple flow are none of them. */
export function textsOf({ flow, offers }: Words): Text[] {
  const pages: [key: string, title: string, config: Page][] =
    flow.flow_mode === 'simple'
      ? flow.survey
        ? [['survey', flow.survey.title, flow.survey]]
        : []
      : flow.definition.nodes.flatMap((node) =>
          'title' in node.config ? [[node.key, node.config.title, node.config] as [string, string, Page]] : [],
        );
  return [
    ...pages.flatMap(([key, title, config]) => textsOfPage(key, title, config, flow.locale)),
    ...CANCELED_TEXTS.map((field) =>
      textOf(['end', 'canceled', field], INPUTS[field].label, flow[field], flow.translations, flow.locale),
    ),
    ...offers.flatMap((offer) => {
      const at = (path: string[], name: string, text: string) =>
        textOf(['offers', offer.id, ...path], `${offer.name}: ${name}`, text, offer.translations, flow.locale);
      return [
        ...OFFER_TEXTS.map((field) => at([field], FIELD_NAMES[field], wordsOf(offer, field, flow.locale))),
        ...lookedAt(offer).map(([path, name, text]) => at(path, name, text)),
      ];
    }),
  ].filter(({ original }) => original.trim() !== '');
}

/** What is shown of an offer in the language of the flow: in this, if it is written in another. */
function wordsOf(offer: OfferWords, field: OfferText, locale: string): string {
  const { translations }: { translations: Translations } = offer;
  return inFirst([locale], translations, (words) => words[field] as string) ?? offer[field];
}

/** The points, and what a picture shows, of a page or an offer. */
function lookedAt(one: object): [path: string[], name: string, text: string][] {
  const { image, points = [] } = one as Partial<Pick<Offer, 'image' | 'points'>>;
  return [
    ...points.map((point, index): [string[], string, string] => [
      ['points', String(index)],
      `Point ${index + 1}`,
      point,
    ]),
    ...(image ? [[['image_alt'], 'Description of the picture', image.alt] as [string[], string, string]] : []),
  ];
}

function textsOfPage(key: string, title: string, config: Page, locale: string): Text[] {
  const options = 'options' in config ? config.options : [];
  const translations: Translations = config.translations ?? {};
  const at = (path: string[], name: string, text = '') =>
    textOf(['pages', key, ...path], `${title}: ${name}`, text, translations, locale);
  return [
    at(['title'], 'Title', config.title),
    at(['body'], 'Text', config.body),
    ...lookedAt(config).map(([path, name, text]) => at(path, name, text)),
    ...options.flatMap(({ value, label, comment_label }) => [
      at(['options', value], `Answer ${value}`, label),
      at(['comment_labels', value], `Question to answer ${value}`, comment_label),
    ]),
  ];
}

function textOf(path: string[], where: string, original: string, translations: Translations, locale: string): Text {
  const [, , field, part] = path;
  const read = (words: Translation) => {
    const text = words[field];
    return typeof text === 'object' ? (text as Record<string, string>)[part] : text;
  };
  return {
    id: path.join('/'),
    where,
    original,
    in: (language) => inFirst([language], translations, read) ?? '',
    shown: (language) => inFirst(languagesFor(language, locale), translations, read) ?? original,
    maxLength: field === 'points' ? MAX_POINT : ['body', 'canceled_body'].includes(field) ? 5000 : 200,
  };
}

/** The languages that it is translated into, in alphabetical order. */
export function languagesIn({ flow, offers }: Words): string[] {
  const pages = flow.flow_mode === 'simple' ? [flow.survey] : flow.definition.nodes.map(({ config }) => config);
  const all = [flow, ...pages, ...offers].flatMap((one) =>
    Object.keys((one as { translations?: object })?.translations ?? {}),
  );
  return [...new Set(all)].filter((language) => language !== flow.locale).toSorted();
}

/** The texts that customers read in the language of the flow, because it has them in no other that is theirs. */
export function missingIn(words: Words, language: string): Text[] {
  return textsOf(words).filter((text) => text.in(language) === '' && text.shown(language) === text.original);
}

/** With a text in a language; '' takes it away. */
export function write(words: Words, id: string, language: string, text: string): Words {
  const [kind, key, field, part] = id.split('/');
  const written = <Config extends { translations?: object }>(config: Config): Config => {
    const translations = (config.translations ?? {}) as Translations;
    const before = translations[language] ?? {};
    const words =
      part === undefined
        ? withEntry(before, field, text)
        : withEntry(
            before,
            field,
            field === 'points'
              ? withPoint(before.points as string[] | undefined, Number(part), text)
              : withEntry((before[field] as Record<string, string> | undefined) ?? {}, part, text),
          );
    const all = withEntry(translations, language, words);
    if (Object.keys(all).length > 0 || 'id' in config) return { ...config, translations: all };
    const { translations: _, ...rest } = config;
    return rest as Config;
  };
  const { flow, offers } = words;
  if (kind === 'end') return { flow: { ...flow, translations: written({ id: key, ...flow }).translations }, offers };
  if (kind === 'offers') return { flow, offers: offers.map((offer) => (offer.id === key ? written(offer) : offer)) };
  if (flow.flow_mode === 'simple') return { flow: { ...flow, survey: flow.survey && written(flow.survey) }, offers };
  const nodes = flow.definition.nodes.map((node) =>
    node.key === key ? ({ ...node, config: written(node.config as Page) } as FlowNode) : node,
  );
  return { flow: { ...flow, definition: { ...flow.definition, nodes } }, offers };
}

/** Points are by their places, so those before it are blank at least. */
function withPoint(points: string[] = [], index: number, text: string): string[] {
  const length = Math.max(points.length, index + 1);
  return withoutBlankEnd(Array.from({ length }, (_, at) => (at === index ? text : (points[at] ?? ''))));
}

/** An entry that is empty is none. */
function withEntry<Values extends object>(values: Values, name: string, value: string | object): Values {
  const { [name as keyof Values]: _, ...others } = values;
  const isEmpty = typeof value === 'string' ? value.trim() === '' : Object.keys(value).length === 0;
  return { ...others, ...(!isEmpty && { [name]: value }) } as Values;
}

/** Whether the texts of the flow itself were changed. */
export function isFlowChanged({ flow: before }: Words, { flow }: Words): boolean {
  if (!isSame(flow.translations, before.translations)) return true;
  // The service composes the graph of a simple flow from its survey.
  if (flow.flow_mode === 'simple') return !isSame(flow.survey, before.survey);
  return !isSame(flow.definition, before.definition);
}

export function isChanged(before: Words, words: Words): boolean {
  return isFlowChanged(before, words) || changedOffers(before, words).length > 0;
}

/** The offers whose translations were changed. */
export function changedOffers(before: Words, { offers }: Words): OfferWords[] {
  return offers.filter((offer, index) => !isSame(offer.translations, before.offers[index].translations));
}
