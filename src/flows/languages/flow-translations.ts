import { inFirst, languagesFor, MAX_LANGUAGES } from '../../platform/text/languages';
import { jsonPointer } from '../../platform/api/problems/json-pointer';
import { OF_CANCELED, OF_FLOW, placeholderFault, translationFault } from '../../platform/text/placeholders';
import { withAt } from '../../platform/common/with-at';
import type { FieldError } from '../../platform/api/problems/problem';
import type { CustomConfig, FlowDefinition, FlowNode, PageConfig, SurveyConfig } from '../graph/flow-definition';
import type { SimpleSurvey } from '../graph/simple-definition';
import { CANCELED_TEXTS, type CanceledWords } from './canceled-words';
import { type PageTranslation, SIMPLE_WORDS } from '../graph/simple-words';

/** The parts of a flow on which its words depend. */
export interface Worded {
  flow_mode: 'simple' | 'advanced';
  locale: string;
  survey: SimpleSurvey | null;
  definition: FlowDefinition;
}

/** What a customer reads who has canceled, and the same in other languages. */
export interface WordedEnd {
  canceled_title: string;
  canceled_body: string;
  translations: Record<string, CanceledWords>;
}

/** A text that its customers do not have in a language of the flow. */
export interface Gap {
  pointer: string;
  locale: string;
}

/** The texts of an offer, and those in other languages. */
export interface WordedOffer {
  texts: Record<string, string>;
  translations: Record<string, Record<string, string | undefined>>;
}

/** The texts of options in a translation. */
const LABELS = ['options', 'comment_labels'] as const;

/** The fields whose texts have placeholders. */
const RESOLVED: unknown[] = ['title', 'body', 'points'];

const NOT_ONE = {
  options: 'is not the value of an option',
  comment_labels: 'is not the value of an option with a comment_label',
};

type WordedNode = Extract<FlowNode, { config: { title: string } }>;

/** A text of a page: where it is in the config, and in a translation. */
export interface PageText {
  path: (string | number)[];
  translationPath: string[];
  text: string;
  textIn: (words: PageTranslation) => string | undefined;
}

/** The texts of a page, in the order in which customers read them. */
export function textsOf({ config }: { config: PageConfig | SurveyConfig | CustomConfig }): PageText[] {
  const options = 'options' in config ? config.options : [];
  const { image, points = [] } = config as PageConfig;
  return [
    ...(['title', 'body'] as const).map((field) => {
      const textIn = (words: PageTranslation) => words[field];
      return { path: [field], translationPath: [field], text: (config as PageConfig)[field] ?? '', textIn };
    }),
    ...points.map((text, index) => ({
      path: ['points', index],
      translationPath: ['points', String(index)],
      text,
      textIn: (words: PageTranslation) => words.points?.[index],
    })),
    ...(image
      ? [
          {
            path: ['image', 'alt'],
            translationPath: ['image_alt'],
            text: image.alt,
            textIn: (words: PageTranslation) => words.image_alt,
          },
        ]
      : []),
    ...options.flatMap(({ value, label, comment_label }, index) => [
      labelAt(['options', index, 'label'], 'options', value, label),
      ...(comment_label ? [labelAt(['options', index, 'comment_label'], 'comment_labels', value, comment_label)] : []),
    ]),
  ];
}

/** A text of an option, which translations have by its value. */
function labelAt(path: PageText['path'], labels: (typeof LABELS)[number], value: string, text: string): PageText {
  const textIn = ({ [labels]: words }: PageTranslation) =>
    words && Object.hasOwn(words, value) ? words[value] : undefined;
  return { path, translationPath: [labels, value], text, textIn };
}

export function isWorded(node: FlowNode): node is WordedNode {
  return 'title' in node.config;
}

/**
 * The words of a page in other languages: the service's own in a simple flow, unless it has a survey in words of its
 * own.
 */
function translationsOf({ flow_mode, survey }: Worded, { key, config }: WordedNode) {
  if (flow_mode === 'advanced' || (key === 'reason' && survey)) return config.translations;
  return SIMPLE_WORDS[key as keyof typeof SIMPLE_WORDS] as Record<string, PageTranslation>;
}

/**
 * The config of a page as customers in a language read it: for each text the first of the languages that has it, or
 * else the flow's own.
 */
export function configIn(
  flow: Worded,
  node: WordedNode,
  languages: readonly string[],
): PageConfig | SurveyConfig | CustomConfig {
  const { translations: _, ...config } = node.config;
  const translations = translationsOf(flow, node);
  if (!translations || languages.length === 0) return config;
  return textsOf(node).reduce((translated, { path, textIn }) => {
    const text = inFirst(languages, translations, textIn);
    return text === undefined ? translated : withAt(translated, path, text);
  }, config);
}

/** The faults of the translations of a graph, each with a JSON Pointer into it. */
export function translationFaultsOf({ nodes }: FlowDefinition): FieldError[] {
  return nodes.flatMap((node, index) => {
    if (!isWorded(node)) return [];
    const texts = textsOf(node);
    return Object.entries(node.config.translations ?? {}).flatMap(([language, words]) => {
      const pointer = (path: string[]) => jsonPointer('nodes', index, 'config', 'translations', language, ...path);
      const withValues = texts.filter(({ path: [field] }) => RESOLVED.includes(field));
      const placeholders = withValues.flatMap(({ text, textIn, translationPath }) => {
        const translation = textIn(words);
        const message = translation?.trim() ? translationFault(translation, text, OF_FLOW) : undefined;
        return message === undefined ? [] : [{ pointer: pointer(translationPath), message }];
      });
      const unknown = LABELS.flatMap((labels) =>
        Object.keys((words as PageTranslation)[labels] ?? {})
          .filter((value) => !texts.some(({ translationPath: [of, known] }) => of === labels && known === value))
          .map((value) => ({ pointer: pointer([labels, value]), message: NOT_ONE[labels] })),
      );
      return [...placeholders, ...unknown];
    });
  });
}

/** The faults of what a customer reads who has canceled, each with a JSON Pointer into the flow. */
export function faultsOfEnd({ translations, ...texts }: WordedEnd): FieldError[] {
  return CANCELED_TEXTS.flatMap((field) => {
    const message = placeholderFault(texts[field], OF_CANCELED);
    const own = message === undefined ? [] : [{ pointer: jsonPointer(field), message }];
    const ofTranslations = Object.entries(translations).flatMap(([language, { [field]: text }]) => {
      const message = text?.trim() ? translationFault(text, texts[field], OF_CANCELED) : undefined;
      return message === undefined ? [] : [{ pointer: jsonPointer('translations', language, field), message }];
    });
    return [...own, ...ofTranslations];
  });
}

/** The languages that a flow and its offers are translated into. The service's own words make none. */
export function languagesOf(flow: Worded & WordedEnd, offers: Iterable<WordedOffer>): string[] {
  const ofNodes = flow.definition.nodes.flatMap((node) =>
    isWorded(node) ? Object.keys(node.config.translations ?? {}) : [],
  );
  const ofOffers = [...offers].flatMap(({ translations }) => Object.keys(translations));
  return [...new Set([...Object.keys(flow.translations), ...ofNodes, ...ofOffers])]
    .filter((language) => language !== flow.locale)
    .toSorted();
}

/**
 * Whether a flow is translated into too many languages with its offers: the fault, with a JSON Pointer into it, or
 * none.
 */
export function tooManyLanguages(flow: Worded & WordedEnd, offers: Iterable<WordedOffer>): FieldError[] {
  const { length } = languagesOf(flow, offers);
  if (length <= MAX_LANGUAGES) return [];
  const message = `is translated into ${length} languages, offers included: ${MAX_LANGUAGES} at most`;
  return [{ pointer: flow.flow_mode === 'simple' ? '/offer_ids' : '/definition', message }];
}

/**
 * The texts that customers do not have in each of its languages, each with a JSON Pointer into the flow. An offer with
 * gaps is named where the flow names it. The service's own words have none.
 *
 * @param offers by id
 * @param named the offers that the flow names, each with its place
 */
export function gapsOf(
  flow: Worded & WordedEnd,
  offers: ReadonlyMap<string, WordedOffer>,
  named: { id: string; pointer: string }[],
): Gap[] {
  const isOwn = (node: WordedNode) => flow.flow_mode === 'simple' && !(node.key === 'reason' && flow.survey);
  return languagesOf(flow, offers.values()).flatMap((locale) => {
    const languages = languagesFor(locale, flow.locale);
    const ofNodes = flow.definition.nodes.flatMap((node, index) => {
      if (!isWorded(node) || isOwn(node)) return [];
      return textsOf(node)
        .filter(({ text, textIn }) => text.trim() && !inFirst(languages, node.config.translations, textIn))
        .map(({ path }) => {
          if (flow.flow_mode === 'simple') return jsonPointer('survey', ...path);
          return jsonPointer('definition', 'nodes', index, 'config', ...path);
        });
    });
    const ofOffers = named.filter(({ id }) => {
      const { texts, translations } = offers.get(id) ?? { texts: {}, translations: {} };
      return Object.entries(texts).some(
        ([field, text]) => text.trim() && !inFirst(languages, translations, (words) => words[field]),
      );
    });
    const ofEnd = CANCELED_TEXTS.filter(
      (field) => flow[field].trim() && !inFirst(languages, flow.translations, (words) => words[field]),
    ).map((field) => jsonPointer(field));
    return [...ofNodes, ...ofEnd, ...ofOffers.map(({ pointer }) => pointer)].map((pointer) => ({ pointer, locale }));
  });
}
