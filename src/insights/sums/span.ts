import { dateOf, daysTo, midnightOf } from '../../common/days';
import { firstIdAt, MAX_ID } from '../../common/ids';

/** What statistics are about: the sessions of a workspace, or of one of its flows, that began within a span of time. */
export interface Span {
  workspaceId: string;
  /** One flow; undefined: all of the workspace. */
  flowId?: string;
  /** Inclusive. */
  from: Date;
  /** Exclusive. If it is now or later, the span has no end: sessions of this very moment count. */
  to: Date;
  /** The moment for which statuses are worked out. */
  now: Date;
}

/** What the numbers of nodes are about: the sessions of a span that are of one version of a flow. */
export interface VersionSpan extends Span {
  version: number;
}

/** A range of ids of sessions: from the first, inclusive, to the end, exclusive. They contain the time of the start. */
export interface Ids {
  first: string;
  end: string;
}

/** The whole days (UTC) of a span: the first day, and the day after the last. */
interface Days extends Ids {
  firstDay: string;
  endDay: string;
}

/** A span as it is counted: its whole days, if it has any, and what is left at its edges. */
export interface Parts {
  all: Ids;
  days?: Days;
  edges: Ids[];
}

export function partsOf({ from, to, now }: Span): Parts {
  const isOpen = to >= now;
  const all = { first: firstIdAt(from), end: isOpen ? MAX_ID : firstIdAt(to) };
  const firstDay = midnightOf(Math.ceil(Math.max(0, daysTo(from))));
  const endDay = midnightOf(Math.floor(daysTo(to)));
  if (isOpen ? firstDay > to : firstDay >= endDay) return { all, edges: [all] };
  const days = {
    first: firstIdAt(firstDay),
    end: isOpen ? MAX_ID : firstIdAt(endDay),
    firstDay: dateOf(firstDay),
    endDay: isOpen ? 'infinity' : dateOf(endDay),
  };
  const edges = [
    { first: all.first, end: days.first },
    { first: days.end, end: all.end },
  ];
  return { all, days, edges: edges.filter(({ first, end }) => first < end) };
}
