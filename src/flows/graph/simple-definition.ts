import { LANGUAGES, languagesFor } from '../../platform/text/languages';
import type { Feedback } from './graph-limits';
import { type PageTranslation, SIMPLE_WORDS } from './simple-words';

/** The survey of a simple flow. The console uses this file, so it imports no framework. */
export interface SimpleSurvey {
  title: string;
  body?: string;
  comment?: 'optional' | 'required';
  multiple?: boolean;
  options: { value: string; label: string; feedback?: Feedback; comment_label?: string }[];
  translations?: Record<string, PageTranslation>;
}

/** The feedback for billing, by the reasons of a simple flow. */
const FEEDBACK = {
  too_expensive: 'too_expensive',
  missing_features: 'missing_features',
  not_using: 'unused',
  switching: 'switched_service',
  technical_issues: 'low_quality',
  other: 'other',
} satisfies Record<keyof typeof SIMPLE_WORDS.reason.en.options, Feedback>;
const REASONS = Object.keys(FEEDBACK) as (keyof typeof FEEDBACK)[];

/** The survey of a simple flow in a language, unless its team has words of its own. */
export function defaultSurvey(locale: string): SimpleSurvey {
  const { title, options } = SIMPLE_WORDS.reason[ownLanguageFor(locale)];
  return {
    title,
    comment: 'optional',
    options: REASONS.map((value) => ({ value, label: options[value], feedback: FEEDBACK[value] })),
  };
}

export const DEFAULT_SURVEY = defaultSurvey('en');

/** Where the survey is in the graph of a simple flow, as a JSON Pointer. */
export const SURVEY_POINTER = '/nodes/1/config';

/** The graph of a simple flow: start, a survey of reasons, each offer in order, confirm. The console draws it, too. */
export function composeDefinition(offerIds: string[], survey: SimpleSurvey | null = null, locale = 'en') {
  const language = ownLanguageFor(locale);
  const afterSurvey = [...offerIds.map((_, index) => `offer_${index + 1}`), 'confirm'];
  const start = {
    key: 'start',
    type: 'start' as const,
    config: { ...SIMPLE_WORDS.start[language] },
    next: 'reason',
  };
  const reason = {
    key: 'reason',
    type: 'survey' as const,
    config: survey ?? defaultSurvey(locale),
    next: afterSurvey[0],
  };
  const offers = offerIds.map((offer_id, index) => ({
    key: afterSurvey[index],
    type: 'offer' as const,
    config: { offer_id },
    next: afterSurvey[index + 1],
  }));
  const confirm = { key: 'confirm', type: 'confirm' as const, config: { ...SIMPLE_WORDS.confirm[language] } };
  return { entry: 'start', nodes: [start, reason, ...offers, confirm] };
}

/** The language of the service's own words for a flow in a language: English if there are none. */
function ownLanguageFor(locale: string) {
  return LANGUAGES.find((language) => languagesFor(locale, '').includes(language)) ?? 'en';
}
