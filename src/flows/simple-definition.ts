/** The survey of a simple flow. The console uses this file, so it imports nothing. */
export interface SimpleSurvey {
  title: string;
  body?: string;
  comment?: 'optional' | 'required';
  options: { value: string; label: string }[];
}

/** What a simple flow asks unless its team has words of its own. */
export const DEFAULT_SURVEY: SimpleSurvey = {
  title: 'Why are you leaving?',
  comment: 'optional',
  options: [
    { value: 'too_expensive', label: 'Too expensive' },
    { value: 'missing_features', label: 'It lacks something I need' },
    { value: 'not_using', label: 'I do not use it enough' },
    { value: 'switching', label: 'I am switching to something else' },
    { value: 'technical_issues', label: 'It does not work well for me' },
    { value: 'other', label: 'Something else' },
  ],
};

/** Where the survey is in the graph of a simple flow, as a JSON Pointer. */
export const SURVEY_POINTER = '/nodes/1/config';

/** The graph of a simple flow: start, a survey of reasons, each offer in order, confirm. The console draws it, too. */
export function composeDefinition(offerIds: string[], survey: SimpleSurvey | null = null) {
  const afterSurvey = [...offerIds.map((_, index) => `offer_${index + 1}`), 'confirm'];
  const start = {
    key: 'start',
    type: 'start' as const,
    config: { title: 'Before you go', body: 'Tell us why you are leaving {{product_name}}. It takes a minute.' },
    next: 'reason',
  };
  const reason = {
    key: 'reason',
    type: 'survey' as const,
    config: survey ?? DEFAULT_SURVEY,
    next: afterSurvey[0],
  };
  const offers = offerIds.map((offer_id, index) => ({
    key: afterSurvey[index],
    type: 'offer' as const,
    config: { offer_id },
    next: afterSurvey[index + 1],
  }));
  const confirm = { key: 'confirm', type: 'confirm' as const, config: { title: 'Cancel your subscription?' } };
  return { entry: 'start', nodes: [start, reason, ...offers, confirm] };
}
