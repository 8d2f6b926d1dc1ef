import { href, replace } from '../shell/route';
import { TextField } from './field';
import { isWhole } from './filters';
import { LENGTHS, type Span, spanOf } from './span';

interface SpanChoiceProps {
  /** The page, and the parameters of its address. */
  path: string;
  query: URLSearchParams;
}

/** Which days the numbers of a page are of: the last so many, or from one day to another. */
export function SpanChoice({ path, query }: SpanChoiceProps) {
  const span = spanOf(query);
  const others = Object.fromEntries([...query].filter(([name]) => !['days', 'from', 'to'].includes(name)));
  return (
    <div class="span-choice">
      <nav class="choice" aria-label="Days">
        {LENGTHS.map((days) => (
          <a
            key={days}
            href={href(path, { ...others, days: String(days) })}
            aria-current={!span.isChosen && days === span.days ? 'true' : undefined}
          >
            {days} days
          </a>
        ))}
        <a
          href={href(path, { ...others, from: span.from, to: span.to })}
          aria-current={span.isChosen ? 'true' : undefined}
        >
          Dates
        </a>
      </nav>
      {span.isChosen && <Dates span={span} onChange={(from, to) => replace(path, { ...others, from, to })} />}
    </div>
  );
}

interface DatesProps {
  span: Span;
  onChange: (from: string, to: string) => void;
}

/** The day that is not typed goes along, so that the first is never after the last. */
function Dates({ span: { from, to }, onChange }: DatesProps) {
  const today = new Date().toISOString().slice(0, 10);
  const isGood = (day: string) => day !== '' && isWhole(day) && day <= today;
  const setFrom = (day: string) => isGood(day) && onChange(day, day > to ? day : to);
  const setTo = (day: string) => isGood(day) && onChange(day < from ? day : from, day);
  return (
    <div class="filters">
      <TextField name="from" label="From" type="date" value={from} max={today} onInput={setFrom} />
      <TextField name="to" label="Through" type="date" value={to} max={today} onInput={setTo} />
    </div>
  );
}
