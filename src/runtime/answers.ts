import { AnyText, Key, Text } from '../platform/api/shown';
import { languagesFor } from '../platform/common/languages';
import { configIn, isWorded } from '../flows/flow-translations';
import type { FlowVersion } from '../flows/flow-version.entity';
import type { SessionStep } from './sessions/session-step.entity';

/** A customer's answer to a survey. */
export class AnswerDto {
  @Key('The key of the survey.', 'reason')
  node_key: string;

  @Key('The value of the chosen option.', 'too_expensive')
  option: string;

  @Text(200, 'The option as the customer read it.', 'Too expensive')
  label: string;

  @AnyText.orNull(5000, 'null if there is none, or the customer was erased.', 'Twice the price of last year.')
  comment: string | null;
}

/** The part of a step that makes an answer. */
export type Answered = Pick<SessionStep, 'node_key' | 'option' | 'comment'>;

/** Why a session was saved; `kept`: without an offer. */
export const SAVED_REASONS = ['offer_accepted', 'kept'] as const;
export type SavedReason = (typeof SAVED_REASONS)[number];

/** The answers among the steps of a session, in their order, in the words that its customer read. */
export function answersOf(steps: Answered[], version: WordedVersion, locale: string): AnswerDto[] {
  const languages = languagesFor(locale, version.locale);
  return steps.flatMap(({ node_key, option, comment }) =>
    option === null ? [] : [{ node_key, option, label: labelOf(version, node_key, option, languages), comment }],
  );
}

/** The parts of a version on which its words depend. */
export type WordedVersion = Pick<FlowVersion, 'definition' | 'flow_mode' | 'locale' | 'name' | 'survey'>;

export function savedReasonOf(acceptedOffer: object | null): SavedReason {
  return acceptedOffer ? 'offer_accepted' : 'kept';
}

function labelOf(version: WordedVersion, nodeKey: string, value: string, languages: string[]): string {
  const node = version.definition.nodes.find(({ key }) => key === nodeKey);
  const config = node?.type === 'survey' && isWorded(node) ? configIn(version, node, languages) : undefined;
  const options = config && 'options' in config ? config.options : [];
  return options.find((option) => option.value === value)?.label ?? value;
}
