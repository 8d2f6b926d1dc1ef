import { create } from './dom';
import type { Draft, Survey } from './types';
import type { Messages } from './v1.d';

/** The controls of a survey. The browser itself asks for what is missing, in its own language. */
export interface SurveyControls {
  elements: HTMLElement[];
  /** The answer. A comment of nothing but blanks is none. */
  read(): Draft;
}

/** The longest comment that the service takes. */
const MAX_COMMENT = 5000;

export function createSurvey({ options, comment }: Survey, messages: Messages, draft: Draft = {}): SurveyControls {
  const isRequired = comment === 'required';
  const radios = options.map(({ value }) => create('input', { type: 'radio', name: 'option', value, required: '' }));
  for (const radio of radios) radio.checked = radio.value === draft.option;
  const elements: HTMLElement[] = options.map(({ label }, index) =>
    create('label', { part: 'option' }, radios[index], label),
  );
  const text = create('textarea', { part: 'comment', rows: 3, maxlength: MAX_COMMENT });
  text.required = isRequired;
  text.value = draft.comment ?? '';
  text.onchange = () => (text.value = text.value.trim());
  const label = messages.comment + (isRequired ? '' : ` (${messages.optional})`);
  if (comment) elements.push(create('label', { part: 'label' }, label, text));
  return {
    elements,
    read: () => ({ option: radios.find(({ checked }) => checked)?.value, comment: text.value || undefined }),
  };
}
