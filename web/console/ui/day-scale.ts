/** Where things are in a chart of days: pure, in pixels. */

export interface Day {
  date: string;
  sessions: number;
  saved: number;
  canceled: number;
}

/** One bar: a day, or a week where there would be too many bars. `to` is its last day. */
export interface Bar {
  from: string;
  to: string;
  sessions: number;
  saved: number;
  canceled: number;
  other: number;
}

const MOST_BARS = 120;
const WEEK = 7;

/** A bar for each day, or for each week of a long span. The last week is whole, the first one may not be. */
export function barsOf(days: Day[]): Bar[] {
  if (days.length <= MOST_BARS) return days.map((day) => sum([day]));
  const bars: Bar[] = [];
  for (let end = days.length; end > 0; end -= WEEK) bars.unshift(sum(days.slice(Math.max(0, end - WEEK), end)));
  return bars;
}

export function sum(days: Day[]): Bar {
  const total = (read: (day: Day) => number) => days.reduce((before, day) => before + read(day), 0);
  const [sessions, saved, canceled] = [
    total((day) => day.sessions),
    total((day) => day.saved),
    total((day) => day.canceled),
  ];
  return { from: days[0].date, to: days.at(-1)!.date, sessions, saved, canceled, other: sessions - saved - canceled };
}

/** The share of sessions that were saved; null if there was none. */
export function rateOf({ saved, sessions }: { saved: number; sessions: number }): number | null {
  return sessions === 0 ? null : saved / sessions;
}

/** Round whole numbers for an axis, from 0 to `max` or a little more: 0, 20, 40. */
export function roundSteps(max: number): number[] {
  const rough = Math.max(1, max / 4);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough)!;
  const count = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** Which bars get a label, so that the labels do not touch: always the last, and others at equal distances. */
export function labelled(count: number, width: number, labelWidth: number): number[] {
  const distance = Math.max(1, Math.ceil((labelWidth * count) / width));
  const indexes: number[] = [];
  for (let index = count - 1; index >= 0; index -= distance) indexes.unshift(index);
  return indexes;
}

/** The bar at a place that is `x` from the left of the first bar. */
export function barAt(x: number, count: number, width: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor((x / width) * count)));
}

/** Lines between neighbours that have a value, each as its points. A value between two gaps is a line of one point. */
export function linesOf(values: (number | null)[]): [index: number, value: number][][] {
  const lines: [number, number][][] = [[]];
  for (const [index, value] of values.entries()) {
    if (value === null) lines.push([]);
    else lines.at(-1)!.push([index, value]);
  }
  return lines.filter((line) => line.length > 0);
}
