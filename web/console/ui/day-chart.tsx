import { useEffect, useRef, useState } from 'preact/hooks';
import { type Bar, barAt, barsOf, type Day, labelled, linesOf, rateOf, roundSteps, sum } from './day-scale';
import { DayTable } from './day-table';
import { count, counted, day, percent } from './format';

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact' });
const SHORT_DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const LEFT = 40;
const TOP = 10;
const BARS_HEIGHT = 180;
const RATES_TOP = TOP + BARS_HEIGHT + 26;
const RATES_HEIGHT = 48;
const HEIGHT = RATES_TOP + RATES_HEIGHT + 26;
const LABEL_WIDTH = 58;

/** From the bottom up. */
const PARTS = [
  ['saved', 'Saved'],
  ['canceled', 'Canceled'],
  ['other', 'Other'],
] as const;

/**
 * Sessions by day, with the share that was saved below. The numbers of the day that is pointed at are in the legend.
 */
export function DayChart({ days }: { days: Day[] }) {
  const [frame, width] = useWidth();
  const [chosen, setChosen] = useState<number>();
  const bars = barsOf(days);
  const plot = Math.max(1, width - LEFT);
  const shown = chosen === undefined ? undefined : bars[chosen];

  const point = (event: PointerEvent) => {
    const left = (event.currentTarget as Element).getBoundingClientRect().left + LEFT;
    setChosen(barAt(event.clientX - left, bars.length, plot));
  };
  return (
    <figure class="day-chart">
      <Legend numbers={shown ?? sum(days)} title={shown ? spanOf(shown) : `All ${days.length} days`} />
      <div
        ref={frame}
        class="day-plot"
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setChosen(undefined)}
      >
        {/* What the keyboard moves and a screen reader says. */}
        <input
          type="range"
          aria-label={bars.length < days.length ? 'Week' : 'Day'}
          min={0}
          max={bars.length - 1}
          value={chosen ?? bars.length - 1}
          aria-valuetext={inWords(shown ?? bars.at(-1)!)}
          onFocus={(event) => event.currentTarget.matches(':focus-visible') && setChosen(bars.length - 1)}
          onInput={(event) => setChosen(event.currentTarget.valueAsNumber)}
          onBlur={() => setChosen(undefined)}
        />
        {width > 0 && <Drawing bars={bars} width={plot} chosen={chosen} />}
      </div>
      <details>
        <summary>The numbers as a table</summary>
        <DayTable days={days} />
      </details>
    </figure>
  );
}

function Legend({ numbers, title }: { numbers: Bar; title: string }) {
  return (
    <figcaption>
      <strong>{title}</strong>
      <span>{counted(numbers.sessions, 'session')}</span>
      {PARTS.map(([part, name]) => (
        <span key={part} class={`key ${part}`}>
          {name} {count(numbers[part])}
        </span>
      ))}
      <span class="key rate">Saved {percent(rateOf(numbers))} of sessions</span>
    </figcaption>
  );
}

function Drawing({ bars, width, chosen }: { bars: Bar[]; width: number; chosen: number | undefined }) {
  const steps = roundSteps(Math.max(...bars.map(({ sessions }) => sessions)));
  const band = width / bars.length;
  const thick = Math.min(44, Math.max(1, band - Math.min(6, band * 0.28)));
  const middle = (index: number) => LEFT + (index + 0.5) * band;
  const y = (value: number) => TOP + BARS_HEIGHT * (1 - value / steps.at(-1)!);
  const rateY = (rate: number) => RATES_TOP + RATES_HEIGHT * (1 - rate);

  const below = bars.map(() => 0);
  const paths = PARTS.map(([part]) => {
    const rectangles = bars.map((bar, index) => {
      const [from, to] = [below[index], (below[index] += bar[part])];
      const left = middle(index) - thick / 2;
      return bar[part] > 0 ? `M${round(left)} ${round(y(to))}h${round(thick)}V${round(y(from))}h${-round(thick)}z` : '';
    });
    return <path key={part} class={`fill-${part}`} d={rectangles.join('')} />;
  });
  const lines = linesOf(bars.map(rateOf));
  return (
    <svg width={LEFT + width} height={HEIGHT} aria-hidden="true">
      {chosen !== undefined && (
        <rect class="chosen" x={LEFT + chosen * band} y={TOP} width={band} height={HEIGHT - TOP - 22} />
      )}
      {steps.map((step) => (
        <Line key={step} y={y(step)} right={LEFT + width} text={COMPACT.format(step)} />
      ))}
      {paths}
      {[0, 1].map((rate) => (
        <Line key={rate} y={rateY(rate)} right={LEFT + width} text={percent(rate)} />
      ))}
      {lines.map((line) => (
        <polyline
          key={line[0][0]}
          class="rate-line"
          // A line of one point is drawn by its round ends.
          points={[...line, line.at(-1)!]
            .map(([index, rate]) => `${round(middle(index))},${round(rateY(rate))}`)
            .join(' ')}
        />
      ))}
      {chosen !== undefined && rateOf(bars[chosen]) !== null && (
        <circle class="rate-dot" cx={middle(chosen)} cy={rateY(rateOf(bars[chosen])!)} r="4" />
      )}
      {labelled(bars.length, width, LABEL_WIDTH).map((index) => {
        const isAtEdge = middle(index) + LABEL_WIDTH / 2 > LEFT + width;
        return (
          <text
            key={index}
            x={isAtEdge ? LEFT + width : middle(index)}
            y={HEIGHT - 6}
            text-anchor={isAtEdge ? 'end' : 'middle'}
          >
            {SHORT_DAY.format(new Date(bars[index].from))}
          </text>
        );
      })}
    </svg>
  );
}

function Line({ y, right, text }: { y: number; right: number; text: string }) {
  return (
    <>
      <line x1={LEFT} x2={right} y1={y} y2={y} />
      <text x={LEFT - 8} y={y + 4} text-anchor="end">
        {text}
      </text>
    </>
  );
}

function spanOf({ from, to }: Bar): string {
  return from === to ? day(from) : `${day(from)} to ${day(to)}`;
}

function inWords(bar: Bar): string {
  const { sessions, saved, canceled, other } = bar;
  const parts = `${count(saved)} saved, ${count(canceled)} canceled, ${count(other)} other`;
  return `${spanOf(bar)}: ${counted(sessions, 'session')}, ${parts}, ${percent(rateOf(bar))} saved`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The width of an element, now and whenever it changes. */
function useWidth() {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    // In the next frame: a change of size within the observer's own round is an error of the page.
    const observer = new ResizeObserver(([{ contentRect }]) => {
      requestAnimationFrame(() => setWidth(Math.floor(contentRect.width)));
    });
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return [element, width] as const;
}
