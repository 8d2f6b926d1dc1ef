import { time } from './format';

/** A time, exact to the millisecond for machines and on hover. */
export function Time({ value }: { value: string }) {
  return (
    <time dateTime={value} title={value}>
      {time(value)}
    </time>
  );
}
