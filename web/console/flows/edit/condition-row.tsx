import type { FlowNode } from '@retention-flow/client';
import { type FactKind, ORDERED } from '../../../../src/conditions/facts';
import { CommittedInput } from './committed-input';
import { activeOffers, type ChosenOffer } from './chosen-offer';
import { FACT_LABELS, factWords, isFact, kindOf } from '../fact-words';
import { FactValue } from './fact-value';
import {
  conditionOn,
  firstCondition,
  NONE_SEEN,
  type Seen,
  unseenValues,
  valueFor,
  writtenValue,
} from './model/condition-values';

type Group = Extract<FlowNode, { type: 'branch' }>['config']['ways'][number]['when'];
type Member = Extract<Group, { all: unknown }>['all'][number];

/** A condition that is no group. */
export type Row = Extract<Member, { is: string } | { audience: string }>;
/** One that compares something. */
type Compared = Extract<Row, { is: string }>;
type Comparison = Compared['is'];

/** What conditions can be about. */
export interface ConditionContext {
  /** The questions before the branch. */
  surveys: Survey[];
  /** The pages of the site's own before it, which give results. */
  pages: { key: string; config: { title: string } }[];
  seen: Seen;
  offers: Map<string, ChosenOffer>;
  /** None in an audience. */
  audiences: { id: string; name: string }[];
  /** The facts that can't be asked for. */
  without?: FactKind['of'] | undefined;
}

/** The conditions of a group; undefined if some of them are groups. */
export function rowsOf(group: Group): Row[] | undefined {
  const members = 'all' in group ? group.all : group.any;
  return members.every((member): member is Row => 'is' in member || 'audience' in member) ? members : undefined;
}

const OF_ANSWERS: [Comparison, string][] = [
  ['=', 'is'],
  ['!=', 'is not'],
  ['in', 'is one of'],
  ['not_in', 'is none of'],
  ['exists', 'is known'],
];
/** Of a survey that takes several answers. */
const OF_SEVERAL: [Comparison, string][] = [
  ['includes', 'includes'],
  ['in', 'includes one of'],
  ['not_in', 'includes none of'],
  ['=', 'is only'],
  ['!=', 'is not only'],
  ['exists', 'is known'],
];
const OF_ATTRIBUTES: [Comparison, string][] = [
  ...OF_ANSWERS,
  ['<', 'is less than'],
  ['<=', 'is at most'],
  ['>', 'is more than'],
  ['>=', 'is at least'],
];
const OF_YES_OR_NO: [Comparison, string][] = [
  ['=', 'is'],
  ['exists', 'is known'],
];
/** What the `About` of a condition on a fact begins with: keys of surveys have no colon. */
const FACT = 'fact:';
const AUDIENCE = 'audience:';
const RESULT = 'result:';

interface ConditionRowProps {
  context: ConditionContext;
  /** What a screen reader calls the row. */
  name: string;
  row: Row;
  onChange: (row: Row) => void;
  /** Undefined for the only condition. */
  onRemove: (() => void) | undefined;
}

/** A condition: about what · how it compares · with what. */
export function ConditionRow({ context, name, row, onChange, onRemove }: ConditionRowProps) {
  const { surveys, pages, seen, audiences, without } = context;
  const answer = 'answer' in row ? row.answer : undefined;
  const isList = 'is' in row && (row.is === 'in' || row.is === 'not_in');
  const ofSurvey = (key: string): Row => {
    const survey = surveys.find((one) => one.key === key)!;
    const { options, multiple } = survey.config;
    return { answer: key, is: multiple ? 'includes' : '=', value: options[0].value };
  };
  const setSubject = (subject: string) => {
    const fact = subject.startsWith(FACT) ? subject.slice(FACT.length) : undefined;
    if (subject.startsWith(AUDIENCE)) onChange({ audience: subject.slice(AUDIENCE.length) });
    else if (subject.startsWith(RESULT)) onChange({ result: subject.slice(RESULT.length), is: 'exists' });
    else if (fact !== undefined && isFact(fact))
      onChange(conditionOn(fact, seen.facts, activeOffers(context.offers).at(0)?.id));
    else onChange(subject === '' ? ofAttribute(seen) : ofSurvey(subject));
  };
  const subject = subjectOf(row);
  const page = 'result' in row ? row.result.split('.')[0] : undefined;
  return (
    <li>
      <div class="condition" role="group" aria-label={name}>
        <select aria-label="About" value={subject} onChange={(event) => setSubject(event.currentTarget.value)}>
          {audiences.length > 0 && (
            <optgroup label="Audiences">
              {audiences.map(({ id, name }) => (
                <option key={id} value={`${AUDIENCE}${id}`}>
                  in “{name}”
                </option>
              ))}
            </optgroup>
          )}
          <optgroup label="What is known">
            {FACT_LABELS.filter(([fact]) => kindOf(fact).of !== without).map(([fact, label]) => (
              <option key={fact} value={`${FACT}${fact}`}>
                {label}
              </option>
            ))}
          </optgroup>
          <optgroup label="What your site or the customer says">
            <option value="">an attribute</option>
            {answer !== undefined && !surveys.some(({ key }) => key === answer) && (
              <option value={answer}>the answer to {answer}</option>
            )}
            {surveys.map(({ key, config }) => (
              <option key={key} value={key}>
                the answer to “{config.title}”
              </option>
            ))}
            {page !== undefined && !pages.some(({ key }) => key === page) && (
              <option value={`${RESULT}${page}`}>the result of {page}</option>
            )}
            {pages.map(({ key, config }) => (
              <option key={key} value={`${RESULT}${key}`}>
                the result of “{config.title}”
              </option>
            ))}
          </optgroup>
        </select>
        {'attribute' in row && (
          <CommittedInput
            aria-label="Attribute"
            value={row.attribute}
            maxLength={200}
            suggestions={[...seen.attributes.keys()]}
            onCommit={(attribute) => attribute !== '' && onChange({ ...row, attribute })}
          />
        )}
        {'result' in row && (
          <CommittedInput
            aria-label="Place in the result"
            value={row.result.slice(page!.length + 1)}
            placeholder="score"
            maxLength={200}
            title="The name of a field, such as score; empty: all of it"
            onCommit={(place) => onChange({ ...row, result: place === '' ? page! : `${page}.${place}` })}
          />
        )}
        {'is' in row && (
          <select
            aria-label="Comparison"
            value={row.is}
            onChange={(event) => onChange(compared(row, event.currentTarget.value as Comparison, surveys))}
          >
            {comparisonsFor(row, surveys).map(([is, words]) => (
              <option key={is} value={is}>
                {words}
              </option>
            ))}
          </select>
        )}
        {'is' in row &&
          row.is !== 'exists' &&
          ('fact' in row ? (
            <FactValue row={row} isList={isList} context={context} onChange={onChange} />
          ) : 'answer' in row ? (
            <AnswerValue row={row} isList={isList} surveys={surveys} onChange={onChange} />
          ) : (
            <CommittedInput
              aria-label="Value"
              value={writtenValue(row.value)}
              {...('attribute' in row && {
                suggestions: (seen.attributes.get(row.attribute) ?? []).map(writtenValue),
              })}
              title={isList ? 'Values with commas between them' : 'A number, true, false, or a text'}
              onCommit={(text) => {
                const value = valueFor(row.is, text);
                if (value !== undefined) onChange({ ...row, value });
              }}
            />
          ))}
        {'attribute' in row && row.is !== 'exists' && !ORDERED.includes(row.is) && (
          <SeenInstead values={unseenValues(seen.attributes, row.attribute, row.value)} />
        )}
        {onRemove && (
          <button type="button" class="quiet icon" aria-label={`Remove ${name.toLowerCase()}`} onClick={onRemove}>
            ✕
          </button>
        )}
        {'fact' in row && row.is !== 'exists' && <FactHint fact={row.fact} />}
      </div>
    </li>
  );
}

/** What a row is about, as the value of its choice. */
function subjectOf(row: Row): string {
  if ('audience' in row) return `${AUDIENCE}${row.audience}`;
  if ('fact' in row) return `${FACT}${row.fact}`;
  if ('result' in row) return `${RESULT}${row.result.split('.')[0]}`;
  return 'answer' in row ? row.answer : '';
}

function comparisonsFor(row: Compared, surveys: Survey[]): [Comparison, string][] {
  if ('fact' in row) {
    const { type } = kindOf(row.fact);
    return type === 'boolean' ? OF_YES_OR_NO : type === 'number' ? OF_ATTRIBUTES : OF_ANSWERS;
  }
  if ('attribute' in row || 'result' in row) return OF_ATTRIBUTES;
  const isSeveral = surveys.find(({ key }) => key === row.answer)?.config.multiple;
  // A survey may have taken several answers before.
  return isSeveral ? OF_SEVERAL : row.is === 'includes' ? [OF_SEVERAL[0], ...OF_ANSWERS] : OF_ANSWERS;
}

/** How the value of a fact is written, where that is not plain. */
function FactHint({ fact }: { fact: Extract<Row, { fact: string }>['fact'] }) {
  const { hint } = factWords(fact);
  return hint === undefined ? null : <p class="hint">{hint}.</p>;
}

/** Upper and lower case differ: a value that hardly a customer had may be a mistake. */
function SeenInstead({ values }: { values: readonly Parameters<typeof writtenValue>[0][] }) {
  if (values.length === 0) return null;
  return <p class="hint">Not among the frequent values: {values.map(writtenValue).join(', ')}.</p>;
}

type Survey = Extract<FlowNode, { type: 'survey' }>;

interface AnswerValueProps {
  row: Extract<Row, { answer: string }>;
  isList: boolean;
  surveys: Survey[];
  onChange: (row: Row) => void;
}

function AnswerValue({ row, isList, surveys, onChange }: AnswerValueProps) {
  const options = surveys.find(({ key }) => key === row.answer)?.config.options ?? [];
  const chosen = [row.value ?? []].flat();
  const unknown = chosen.filter((value) => !options.some((option) => option.value === value));
  return (
    <select
      aria-label="Value"
      multiple={isList}
      onChange={({ currentTarget: { selectedOptions } }) => {
        const values = [...selectedOptions].map(({ value }) => value);
        if (values.length > 0) onChange({ ...row, value: isList ? values : values[0] });
      }}
    >
      {unknown.map((value) => (
        <option key={value} value={value} selected>
          {value}
        </option>
      ))}
      {options.map(({ value, label }) => (
        <option key={value} value={value} selected={chosen.includes(value)}>
          {label || value}
        </option>
      ))}
    </select>
  );
}

/** A row that compares in another way, with a value that fits. */
function compared(row: Compared, is: Comparison, surveys: Survey[]): Row {
  const [first] = [row.value ?? []].flat();
  if ('answer' in row) {
    const answered =
      (first as string | undefined) ??
      surveys.find(({ key }) => key === row.answer)?.config.options[0].value ??
      'other';
    const { answer } = row;
    const comparison = is as typeof row.is;
    if (is === 'exists') return { answer, is: comparison };
    return { answer, is: comparison, value: is === 'in' || is === 'not_in' ? [answered] : answered };
  }
  const comparison = is as typeof row.is;
  if ('fact' in row) {
    const { fact } = row;
    if (is === 'exists') return { fact, is: comparison };
    const value = first ?? conditionOn(fact, new Map()).value;
    return { fact, is: comparison, value: is === 'in' || is === 'not_in' ? [value] : value };
  }
  const about = 'result' in row ? { result: row.result } : { attribute: row.attribute };
  if (is === 'exists') return { ...about, is: comparison };
  return { ...about, is: comparison, value: valueFor(is, writtenValue(first)) ?? (ORDERED.includes(is) ? 0 : 'pro') };
}

/** A condition on what customers had. */
function ofAttribute(seen: Seen): Row {
  return firstCondition({ ...NONE_SEEN, attributes: seen.attributes });
}
