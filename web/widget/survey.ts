import { create } from './dom';
import type { Step, Survey } from './types';
import type { Messages } from './v1.d';

/** The controls of a survey. */
export interface SurveyControls {
  elements: HTMLElement[];
  /** The answer, or what is missing and where. */
  read(): Pick<Step, 'option' | 'comment'> | { missing: string; control: HTMLElement };
}

/** The longest comment that the service takes. */
const MAX_COMMENT = 5000;

export function createSurvey({ options, comment }: Survey, messages: Messages): SurveyControls {
  const isRequired = comment === 'required';
  const radios = options.map(({ value }) => create('input', { type: 'radio', name: 'option', value }));
  const elements: HTMLElement[] = options.map(({ label }, index) =>
    create('label', { part: 'option' }, radios[index], label),
  );
  const text = create('textarea', { part: 'comment', rows: 3, maxlength: MAX_COMMENT, 'aria-required': isRequired });
  const label = messages.comment + (isRequired ? '' : ` (${messages.optional})`);
  if (comment) elements.push(create('label', { part: 'label' }, label, text));
  return {
    elements,
    read() {
      const option = radios.find(({ checked }) => checked)?.value;
      const written = text.value.trim();
      if (!option) return { missing: messages.missingAnswer, control: radios[0] };
      if (isRequired && !written) return { missing: messages.missingComment, control: text };
      return written ? { option, comment: written } : { option };
    },
  };
}
