import { create } from './dom';
import type { Draft, Survey } from './types';
import type { Messages } from './v1.d';

/** What a page asks for. The browser itself asks for what is missing, in its own language. */
export interface Controls {
  elements: HTMLElement[];
  /** What is entered. A comment of nothing but blanks is none. */
  read(): Draft;
}

/** The longest comment that the service takes. */
const MAX_COMMENT = 5000;

export function createSurvey({ options, comment }: Survey, messages: Messages, draft: Draft = {}): Controls {
  const isRequired = comment === 'required';
  const choice = createChoice(
    'option',
    options.map(({ value, label }) => [value, label]),
    draft.option,
  );
  const { elements } = choice;
  const text = create('textarea', { part: 'comment', rows: 3, maxlength: MAX_COMMENT });
  text.required = isRequired;
  text.value = draft.comment ?? '';
  text.onchange = () => (text.value = text.value.trim());
  const label = messages.comment + (isRequired ? '' : ` (${messages.optional})`);
  if (comment) elements.push(create('label', { part: 'label' }, label, text));
  return { elements, read: () => ({ option: choice.read(), comment: text.value || undefined }) };
}

/** How long a pause lasts. The first number of months is chosen until the customer takes another. */
export function createMonths(months: number[], lang: string, draft: Draft = {}): Controls {
  const chosen = draft.months ?? months[0];
  const words = new Intl.NumberFormat(lang, { style: 'unit', unit: 'month', unitDisplay: 'long' });
  const { elements, read } = createChoice(
    'months',
    months.map((one) => [`${one}`, words.format(one)]),
    `${chosen}`,
  );
  return { elements, read: () => ({ months: Number(read()) }) };
}

function createChoice(name: string, options: [value: string, label: string][], chosen: string | undefined) {
  const radios = options.map(([value]) => create('input', { type: 'radio', name, value, required: '' }));
  for (const radio of radios) radio.checked = radio.value === chosen;
  const elements: HTMLElement[] = options.map(([, label], index) =>
    create('label', { part: 'option' }, radios[index], label),
  );
  return { elements, read: () => radios.find(({ checked }) => checked)?.value };
}
