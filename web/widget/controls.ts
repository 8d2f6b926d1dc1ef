import { create } from './dom';
import type { Draft, Survey } from '../../client/headless/types.ts';
import { commentLabel, MAX_COMMENT, monthsIn } from '../../client/dialog/inputs.ts';
import type { Messages } from './v1.d';

/** What a page asks for. The browser itself asks for what is missing, in its own language. */
export interface Controls {
  elements: HTMLElement[];
  /** What is entered. A comment of nothing but blanks is none. */
  read(): Draft;
}

export function createSurvey(survey: Survey, messages: Messages, draft: Draft = {}): Controls {
  const { options, comment, multiple } = survey;
  const type = multiple ? 'checkbox' : 'radio';
  const values = options.map(({ value, label }): [string, string] => [value, label]);
  const choice = createChoice(type, 'option', values, draft.options ?? [draft.option], messages.choose);
  const { elements } = choice;
  const text = create('textarea', { part: 'comment', rows: 3, maxlength: MAX_COMMENT });
  text.required = comment === 'required';
  unasked(text);
  text.value = draft.comment ?? '';
  text.onchange = () => (text.value = text.value.trim());
  const label = create('span', {});
  const name = () => (label.textContent = commentLabel(survey, choice.read(), messages));
  if (comment) elements.push(create('label', { part: 'label' }, label, text));
  for (const element of elements) element.addEventListener('change', name);
  name();
  const read = () => (multiple ? { options: choice.read() } : { option: choice.read()[0] });
  return { elements, read: () => ({ ...read(), comment: text.value || undefined }) };
}

/** How long a pause lasts. None is chosen for the customer, who may not see them all. */
export function createMonths(months: number[], lang: string, draft: Draft = {}): Controls {
  const words = monthsIn(lang);
  const values = months.map((one): [string, string] => [`${one}`, words(one)]);
  const { elements, read } = createChoice('radio', 'months', values, [`${draft.months}`]);
  return { elements, read: () => ({ months: Number(read()[0]) }) };
}

/** A screen reader calls an empty input invalid only after the browser has asked for it. */
function unasked(input: HTMLElement): void {
  input.setAttribute('aria-invalid', 'false');
  input.oninvalid = () => input.removeAttribute('aria-invalid');
}

function createChoice(
  type: 'radio' | 'checkbox',
  name: string,
  options: [value: string, label: string][],
  chosen: (string | undefined)[],
  words = '',
) {
  const inputs = options.map(([value]) => create('input', { type, name, value }));
  const read = () => inputs.filter(({ checked }) => checked).map(({ value }) => value);
  for (const input of inputs) {
    input.checked = chosen.includes(input.value);
    input.required = type === 'radio';
    unasked(input);
  }
  // A required checkbox would ask for itself alone.
  const ask = () => type === 'checkbox' && inputs[0].setCustomValidity(read().length > 0 ? '' : words);
  ask();
  const elements: HTMLElement[] = options.map(([, label], index) => {
    inputs[index].onchange = ask;
    return create('label', { part: 'option' }, inputs[index], label);
  });
  return { elements, read };
}
