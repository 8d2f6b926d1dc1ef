import { firstIdAt, MAX_ID } from '../../common/ids';

/** What statistics are about: the sessions of a workspace, or of one of its flows, that began within a span of time. */
export interface Span {
  workspaceId: string;
  /** One flow; undefined: all of the workspace. */
  flowId?: string;
  /** Inclusive. */
  from: Date;
  /** Exclusive. From now on, or later: no end, so that sessions of this very moment count. */
  to: Date;
  /** The moment for which statuses are worked out. */
  now: Date;
}

/** A range of ids of sessions: from the first, inclusive, to the end, exclusive. */
export interface Ids {
  first: string;
  end: string;
}

/** The ids of a span: ids contain the time of the start. */
export function idsOf({ from, to, now }: Span): Ids {
  return { first: firstIdAt(from), end: to >= now ? MAX_ID : firstIdAt(to) };
}
