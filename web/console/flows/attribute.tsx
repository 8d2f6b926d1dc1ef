import type { FlowStats } from '@retention-flow/client';
import { replace } from '../shell/route';
import { Bars } from '../ui/bars';
import { TextField } from '../ui/field';
import { text } from '../ui/form';
import { count, percent } from '../ui/format';

type AttributeNumbers = NonNullable<FlowStats['by']>;
type Group = AttributeNumbers['none'];

interface AttributeProps {
  numbers: AttributeNumbers | null;
  by: string;
  query: URLSearchParams;
  path: string;
}

/** Customers by what they have in an attribute, such as their plan. */
export function Attribute({ numbers, by, query, path }: AttributeProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const chosen = text(new FormData(event.currentTarget as HTMLFormElement), 'by');
    replace(path, { ...Object.fromEntries(query), by: chosen });
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
      {numbers && <Groups numbers={numbers} />}
    </section>
  );
}

function Groups({ numbers: { attribute, values, other, none } }: { numbers: AttributeNumbers }) {
  const rows = [
    ...values.map((group, index) => row(String(index), wordsOf(group.value), group)),
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
function wordsOf(value: string | number | boolean | null): string {
  return typeof value === 'string' && /^(true|false|null|-?[\d.]+|\s*)$/.test(value) ? `“${value}”` : String(value);
}
