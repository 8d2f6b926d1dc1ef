import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { FEEDBACKS } from '../../../../src/flows/graph/graph-limits';
import { MAX_OPTIONS } from '../../../../src/conditions/condition-limits';
import { withAt } from '../../../../src/platform/common/with-at';
import { Select, TextField } from '../../ui/field';
import { freeName } from './model/new-nodes';
import { moved } from './move';
import type { NodeOf } from './node-fields';
import { TextFields } from './text-fields';

type SurveyConfig = NodeOf<'survey'>['config'];

const COMMENTS: [string, string][] = [
  ['', 'Not asked for'],
  ['optional', 'May be given'],
  ['required', 'Must be given'],
];

/** What Stripe hears as the reason of whoever cancels. */
const HEARD: [string, string][] = [
  ['', 'Nothing'],
  ...FEEDBACKS.map((one): [string, string] => [one, one.replaceAll('_', ' ')]),
];

interface SurveyWordsProps {
  config: SurveyConfig;
  /** Whether billing hears of answers. */
  isHeard: boolean;
  /** Changes with the same `subject` are undone as one; `said` is read out. */
  onChange: (config: SurveyConfig, how: { said?: string; subject?: string }) => void;
  /** What belongs to an answer. */
  afterAnswer?: (index: number) => ComponentChildren;
  /** What is below the answers. */
  children?: ComponentChildren;
}

/** A question as customers read it: title, text, answers, comment. */
export function SurveyWords({ config, isHeard, onChange, afterAnswer, children }: SurveyWordsProps) {
  const { options } = config;
  const list = useRef<HTMLUListElement>(null);
  const added = useRef<HTMLInputElement>(null);
  const write = (path: (string | number)[], value: string | boolean | undefined) =>
    onChange(withAt(config, path, value), { subject: path.join(' ') });
  const replace = (options: SurveyConfig['options'], said: string) => onChange({ ...config, options }, { said });
  const add = () => {
    const label = added.current!.value.trim();
    if (label === '') return;
    const taken = options.map((option) => option.value);
    replace([...options, { value: freeName(label, taken), label }], `Answer ${options.length + 1} is added.`);
    added.current!.value = '';
    added.current!.focus();
  };
  /** The label of the comment while an answer is chosen. */
  const ask = (index: number, text: string) => {
    const asked = withAt(config, ['options', index, 'comment_label'], text || undefined);
    const how = { subject: `options ${index} comment_label` };
    onChange(text ? asked : withoutTranslations(asked, options[index].value, ['comment_labels']), how);
  };
  const move = (index: number) => {
    replace(moved(options, index, index - 1), `${options[index].label} is now ${index} of ${options.length}.`);
    list.current!.querySelectorAll<HTMLElement>('.up')[index - 1].focus();
  };
  const remove = (index: number) => {
    const said = `${options[index].label} is removed.`;
    const rest = { ...config, options: options.toSpliced(index, 1) };
    onChange(withoutTranslations(rest, options[index].value, ['options', 'comment_labels']), { said });
    added.current?.focus();
  };
  return (
    <>
      <TextFields title={config.title} body={config.body} onInput={(field, text) => write([field], text)} />
      <fieldset>
        <legend>Answers</legend>
        <label class="check">
          <input
            type="checkbox"
            checked={config.multiple ?? false}
            onChange={(event) => write(['multiple'], event.currentTarget.checked || undefined)}
          />
          Customers may choose several
        </label>
        {config.multiple && (
          <p class="hint">
            Of those that are chosen, the first in this order that leads elsewhere leads on, and the first with a reason
            for Stripe gives it.
          </p>
        )}
        <ul class="rows" ref={list}>
          {options.map(({ value, label, feedback, comment_label = '' }, index) => (
            <li key={value} class="row">
              <div class="row-line">
                <input
                  aria-label={`Answer ${index + 1}`}
                  maxLength={200}
                  value={label}
                  onInput={(event) => write(['options', index, 'label'], event.currentTarget.value)}
                />
                <button
                  type="button"
                  class="quiet icon up"
                  aria-label={`Move answer ${index + 1} up`}
                  aria-disabled={index === 0}
                  onClick={() => index > 0 && move(index)}
                >
                  ↑
                </button>
                <button
                  type="button"
                  class="quiet icon"
                  aria-label={`Remove answer ${index + 1}`}
                  aria-disabled={options.length === 1}
                  onClick={() => options.length > 1 && remove(index)}
                >
                  ✕
                </button>
              </div>
              {isHeard && (
                <Select
                  name={`feedback-${index}`}
                  label={`Stripe hears of answer ${index + 1}`}
                  options={HEARD}
                  value={feedback ?? ''}
                  onInput={(heard) => write(['options', index, 'feedback'], heard || undefined)}
                />
              )}
              {config.comment && (
                <TextField
                  name={`comment-label-${index}`}
                  label={`Question to answer ${index + 1}`}
                  placeholder="Your comment"
                  maxLength={200}
                  value={comment_label}
                  onInput={(text) => ask(index, text)}
                />
              )}
              {afterAnswer?.(index)}
            </li>
          ))}
          {options.length < MAX_OPTIONS && (
            <li class="row-line">
              <input
                ref={added}
                aria-label="New answer"
                placeholder="New answer"
                maxLength={200}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter') return;
                  event.preventDefault();
                  add();
                }}
              />
              <button type="button" class="quiet" onClick={add}>
                Add answer
              </button>
            </li>
          )}
        </ul>
      </fieldset>
      {children}
      <Select
        name="node-comment"
        label="Comment"
        options={COMMENTS}
        value={config.comment ?? ''}
        onInput={(value) => write(['comment'], value || undefined)}
      />
    </>
  );
}

/** Without the words of an option in other languages. */
function withoutTranslations(
  config: SurveyConfig,
  value: string,
  labels: ('options' | 'comment_labels')[],
): SurveyConfig {
  if (!config.translations) return config;
  const translations = Object.entries(config.translations).map(([language, words]) => {
    const without = labels.flatMap((name) => {
      const others = Object.entries(words[name] ?? {}).filter(([option]) => option !== value);
      return words[name] ? [[name, Object.fromEntries(others)] as const] : [];
    });
    return [language, { ...words, ...Object.fromEntries(without) }];
  });
  return { ...config, translations: Object.fromEntries(translations) };
}
