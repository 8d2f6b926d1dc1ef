import type { Json } from '../platform/common/json';
import { jsonOf, KEY } from '../platform/api/fields/schemas';
import { AnyText, Key, Text } from '../platform/api/fields/shown';
import { languagesFor } from '../platform/text/languages';
import { MAX_NODES, MAX_RESULT } from '../flows/graph/graph-limits';
import { MAX_OPTIONS } from '../conditions/condition-limits';
import { configIn, isWorded } from '../flows/languages/flow-translations';
import type { FlowVersion } from '../flows/versions/flow-version.entity';
import type { SessionStep } from '../sessions/session-step.entity';

/** The most answers of a session: each of its surveys may take several. */
export const MAX_ANSWERS = MAX_NODES * MAX_OPTIONS;

/** A customer's answer to a survey. */
export class AnswerDto {
  @Key('The key of the survey.', 'reason')
  node_key: string;

  @Key('The value of the chosen option.', 'too_expensive')
  option: string;

  @Text(200, 'The option as the customer read it.', 'Too expensive')
  label: string;

  @Text(200, 'The option in the own language of the flow, so the same for all customers.', 'Too expensive')
  own_label: string;

  @AnyText.orNull(
    5000,
    'null if there is none, or the customer was erased, or it is at another answer to the survey.',
    'Twice the price of last year.',
  )
  comment: string | null;
}

/** What nodes of the site's own gave, by their keys. */
export type Results = Record<string, Json>;

/** `Results` in responses. */
export const RESULTS = {
  type: 'object',
  maxProperties: MAX_NODES,
  propertyNames: KEY,
  additionalProperties: jsonOf(MAX_RESULT),
  description: 'The results of nodes of type `custom` so far, by the key of the node. An erased customer has none.',
  example: {},
} as const;

/** The results among the steps of a session, in their order. */
export function resultsOf(steps: Pick<SessionStep, 'node_key' | 'result'>[]): Results {
  return Object.fromEntries(steps.flatMap(({ node_key, result }) => (result === null ? [] : [[node_key, result]])));
}

/** The part of a step that makes an answer. */
export type Answered = Pick<SessionStep, 'node_key' | 'option' | 'comment'> & Partial<Pick<SessionStep, 'options'>>;

/** Why a session was saved; `kept`: without an offer. */
export const SAVED_REASONS = ['offer_accepted', 'kept'] as const;
export type SavedReason = (typeof SAVED_REASONS)[number];

/**
 * The answers among the steps of a session, in their order, in the words that its customer read and in the flow's own.
 * Where a survey took several, the answer whose question was shown has the comment.
 */
export function answersOf(steps: Answered[], version: WordedVersion, locale: string): AnswerDto[] {
  const [languages, ownLanguages] = [locale, version.locale].map((one) => languagesFor(one, version.locale));
  return steps.flatMap(({ node_key, option, options, comment }) => {
    if (option === null) return [];
    const labels = labelsOf(version, node_key, languages);
    const ownLabels = labelsOf(version, node_key, ownLanguages);
    return (options ?? [option]).map((one) => ({
      node_key,
      option: one,
      label: labels.get(one) ?? one,
      own_label: ownLabels.get(one) ?? one,
      comment: one === option ? comment : null,
    }));
  });
}

/** The parts of a version on which its words depend. */
export type WordedVersion = Pick<FlowVersion, 'definition' | 'flow_mode' | 'locale' | 'name' | 'survey'>;

export function savedReasonOf(acceptedOffer: object | null): SavedReason {
  return acceptedOffer ? 'offer_accepted' : 'kept';
}

/** The labels of the options of a survey, by their values. */
function labelsOf(version: WordedVersion, nodeKey: string, languages: string[]): Map<string, string> {
  const node = version.definition.nodes.find(({ key }) => key === nodeKey);
  const config = node?.type === 'survey' && isWorded(node) ? configIn(version, node, languages) : undefined;
  const options = config && 'options' in config ? config.options : [];
  return new Map(options.map(({ value, label }) => [value, label]));
}
