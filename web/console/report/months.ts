/** Months, such as 2026-11, in which a report is chosen. */

/** How many months back may be chosen. */
const MOST = 24;

/** The months that may be chosen, this one first. */
export function recentMonths(now = new Date()): string[] {
  return Array.from({ length: MOST + 1 }, (_, back) => monthOf(now, -back));
}

/** The first and the last month of a report: those of an address, or the last one that is over. */
export function monthsOf(query: URLSearchParams, now = new Date()): { from: string; through: string } {
  const months = recentMonths(now);
  const known = (name: string) => months.find((month) => month === query.get(name));
  const through = known('through') ?? known('from') ?? months[1];
  const from = known('from') ?? through;
  return from <= through ? { from, through } : { from: through, through: from };
}

/** The same for the service, whose `to` is the first day that is left out. */
export function asked({ from, through }: { from: string; through: string }): { from: string; to: string } {
  return { from: `${from}-01`, to: `${monthAfter(through, 1)}-01` };
}

/** The month that is this many months later. */
export function monthAfter(month: string, months: number): string {
  return monthOf(new Date(`${month}-01`), months);
}

function monthOf(date: Date, later: number): string {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1)).toISOString().slice(0, 7);
}
