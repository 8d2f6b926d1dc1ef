/**
 * So many rows are looked through before the index of words is asked, which has no order. Words of one row in twenty
 * fill a page.
 */
export const LOOKED_THROUGH = 2000;

/** Finds rows with words, newest first. */
interface WordSearch<Row, Place> {
  /** The last row of those that are looked through; undefined if there are fewer. */
  endOf: (from: Place) => Promise<Place | undefined>;
  /** Looks through the rows behind a place, to another one. */
  lookThrough: (from: Place, to: Place | undefined, take: number) => Promise<Row[]>;
  /** Looks up all rows behind a place. */
  lookUp: (from: Place, take: number) => Promise<Row[]>;
}

/**
 * The newest rows with words, behind a place. Common words are met among the next rows, and rare ones are few in the
 * index; so nothing depends on how common Postgres expects a word to be. Rows that come meanwhile are in neither part
 * twice.
 */
export async function newestFirst<Row, Place>(
  from: Place,
  take: number,
  { endOf, lookThrough, lookUp }: WordSearch<Row, Place>,
): Promise<Row[]> {
  const end = await endOf(from);
  const near = await lookThrough(from, end, take);
  if (end === undefined || near.length === take) return near;
  return [...near, ...(await lookUp(end, take - near.length))];
}
