import type { FlowStats } from '@retention-flow/client';
import { href, replace } from '../shell/route';
import { Bars } from '../ui/bars';
import { TextField } from '../ui/field';
import { text } from '../ui/form';
import { count, percent } from '../ui/format';
import type { Span } from '../ui/span';

type AttributeNumbers = NonNullable<FlowStats['by']>;
type Group = AttributeNumbers['none'];
type Value = AttributeNumbers['values'][number]['value'];

interface AttributeProps {
  flowId: string;
  numbers: AttributeNumbers | null;
  by: string;
  span: Span;
  query: URLSearchParams;
}

/** Customers by what they have in an attribute, such as their plan. Each value leads to what they wrote. */
export function Attribute({ flowId, numbers, by, span, query }: AttributeProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const chosen = text(new FormData(event.currentTarget as HTMLFormElement), 'by');
    replace(`/flows/${flowId}`, { ...Object.fromEntries(query), by: chosen });
  };
  const commentsOf = (value: Value) => {
    const { from, to } = span;
    const attribute = (numbers?.attribute ?? by).replace(/^attributes\./, '');
    const where = JSON.stringify({ all: [{ attribute, is: '=', value }] });
    const audience = query.get('audience') ?? '';
    return href('/comments', { flow_id: flowId, where, audience, from, to });
  };
  return (
    <section class="card">
      <h2>By an attribute of customers</h2>
      <form class="filters" onSubmit={submit}>
        <TextField name="by" label="Attribute" value={by} maxLength={200} placeholder="Such as plan" />
        <button type="submit" class="quiet">
          Show
        </button>
      </form>
      {numbers && <Groups numbers={numbers} commentsOf={commentsOf} />}
    </section>
  );
}

interface GroupsProps {
  numbers: AttributeNumbers;
  commentsOf: (value: Value) => string;
}

function Groups({ numbers: { attribute, values, other, none }, commentsOf }: GroupsProps) {
  // The language of a session is no attribute.
  const isLinked = (value: Value) => attribute !== 'locale' && value !== null && String(value).trim() !== '';
  const rows = [
    ...values.map((group, index) => ({
      ...row(String(index), wordsOf(group.value), group),
      ...(isLinked(group.value) && { href: commentsOf(group.value) }),
    })),
    ...[row('other', 'Other values', other), row('none', 'Not known', none)].filter(({ value }) => value > 0),
  ];
  if (rows.length === 0) return <p class="soft">No session began in these days.</p>;
  return (
    <Bars caption={`Customers by ${attribute}`} columns={[attribute, 'Customers', 'Saved', 'Share']} rows={rows} />
  );
}

function row(key: string, label: string, { customers: { total, saved }, rates }: Group) {
  return { key, label, value: total, part: saved, numbers: [count(total), count(saved), percent(rates.saved)] };
}

/** 1 and "1" are two values. */
function wordsOf(value: Value): string {
  return typeof value === 'string' && /^(true|false|null|-?[\d.]+|\s*)$/.test(value) ? `“${value}”` : String(value);
}
