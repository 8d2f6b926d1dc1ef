import { ApiProperty } from '@nestjs/swagger';
import { type FindManyOptions, type FindOptionsWhere, LessThan, type Repository } from 'typeorm';
import { Turns } from '../../common/turns';
import { Field, QueryIntegerField } from '../fields/fields';
import { isId, MAX_ID } from '../ids';
import { keepWritten } from './written-items';

/** A page has at most this many items. */
export const MAX_PAGE = 500;
/**
 * A page ends at this many bytes of JSON, so that reading can't fill the memory of the process. It has at least one
 * item.
 */
export const MAX_PAGE_BYTES = 1_000_000;
/** Rows that are read first. From their size follows how many more fit. */
const FIRST_ROWS = 100;

/** The 16 bytes of an id, in base64url; of some lists, also the 6 bytes of a number. */
const CURSOR = { type: 'string', pattern: '^[A-Za-z0-9_-]{22}([A-Za-z0-9_-]{8})?$', maxLength: 30 } as const;
/** The last time that a cursor may have: times in responses have a year of four digits. */
export const LAST_TIME = Date.UTC(9999, 11, 31);

/** The parameters of every list: newest first, `limit` at a time, from `cursor` on. */
export class PageQuery {
  @QueryIntegerField({
    description: 'The most items to return. A page may have fewer: it ends at about 1 MB.',
    min: 1,
    max: MAX_PAGE,
    default: 100,
    optional: true,
  })
  limit: number = 100;

  @CursorField(({ updated_since }) => updated_since !== undefined)
  cursor?: string;
}

/** The parameters of a list that once had one page: without `limit`, it has as many items as a page may have. */
export class WholePageQuery extends PageQuery {
  @QueryIntegerField({
    description: 'The most items to return.',
    min: 1,
    max: MAX_PAGE,
    default: MAX_PAGE,
    optional: true,
  })
  override limit: number = MAX_PAGE;

  @CursorField(() => true)
  override cursor?: string;
}

/** What makes a list go by a number, too. */
interface NumberedQuery {
  updated_since?: string;
  ending_before?: string;
}

/** @param isNumbered whether the cursors of the list that is asked for have a number beside the id */
export function CursorField(isNumbered: (query: NumberedQuery) => boolean) {
  return Field(
    { description: 'The `next_cursor` of the previous page. Leave it out for the first page.', optional: true },
    CURSOR,
    'must be a next_cursor that this list answered',
    (value, query) => {
      const position = typeof value === 'string' ? decodeCursor(value) : undefined;
      return position !== undefined && (position.number !== undefined) === isNumbered(query);
    },
  );
}

/** Items of a list, newest first. */
export interface Page<T> {
  items: T[];
  /** Where the next page begins; null after the last. */
  next_cursor: string | null;
  /** The bytes of the items as JSON. */
  bytes: number;
}

/** The fields of every page beside its items. */
export class PageInfo {
  @ApiProperty({
    ...CURSOR,
    nullable: true,
    description: 'Where the next page begins: send it as `cursor`. null after the last page.',
    example: null,
  })
  next_cursor: string | null;
}

/** Where a page begins. */
export interface Position {
  /** The id that it comes before. */
  before: string;
  /**
   * Positions of some lists have more: in a list of changes, the time until which all its pages go; in a list in
   * which one id may have several items, the number of the item that comes next.
   */
  number?: number;
}

/** The time until which a list of changes goes, if this is not its first page. */
export function untilOf({ cursor }: PageQuery): Date | undefined {
  const { number } = positionOf(cursor);
  return number === undefined ? undefined : new Date(number);
}

/**
 * Reads a page of a list that has one item for an id. `read` gets the id that the page comes before and the number of
 * rows to read, newest first.
 *
 * @param until the time until which a list of changes goes
 */
export function readPage<T extends { id: string }>(
  query: PageQuery,
  read: (before: string, take: number) => Promise<T[]>,
  until?: Date,
  bytesOf?: (item: T) => number,
): Promise<Page<T>> {
  return readPageAt(
    query,
    ({ before }, take) => read(before, take),
    ({ id }) => ({ before: id, number: until?.getTime() }),
    bytesOf,
  );
}

/** Reads a page of the rows of a table that have these values. */
export function readNewest<Row extends { id: string }>(
  rows: Repository<Row>,
  where: FindOptionsWhere<Row>,
  query: PageQuery,
): Promise<Page<Row>> {
  return readPage(query, (before, take) => {
    const page = { where: { ...where, id: LessThan(before) }, order: { id: 'DESC' }, take };
    return rows.find(page as FindManyOptions<Row>);
  });
}

/**
 * Reads a page. `read` gets where it begins and the number of rows to read: one more than is used, which shows whether
 * there are more. It is called again while the page has room.
 *
 * Ids sort by creation, so the last item of a page is its cursor. The row itself may be gone when the cursor comes
 * back.
 *
 * @param bytesOf the size of an item as JSON; Infinity for one that was not read because the page must end before it
 */
export async function readPageAt<T extends object>(
  { limit, cursor }: PageQuery,
  read: (position: Position, take: number) => Promise<T[]>,
  positionOfItem: (item: T) => Position,
  bytesOf?: (item: T) => number,
): Promise<Page<T>> {
  const items: T[] = [];
  const written: string[] = [];
  if (!bytesOf) keepWritten(items, written);
  let bytes = 0;
  const turns = new Turns();
  for (let position = positionOf(cursor), take = FIRST_ROWS; ; position = positionOfItem(items.at(-1)!)) {
    const used = Math.min(limit - items.length, take);
    const rows = await read(position, used + 1);
    for (const row of rows.slice(0, used)) {
      if (turns.isOver) await turns.next();
      const json = bytesOf ? '' : JSON.stringify(row);
      const more = bytesOf?.(row) ?? Buffer.byteLength(json);
      if (items.length > 0 && bytes + more > MAX_PAGE_BYTES) return pageBefore(items, bytes, positionOfItem);
      items.push(row);
      written.push(json);
      bytes += more;
    }
    if (rows.length <= used) return { items, next_cursor: null, bytes };
    if (items.length === limit) return pageBefore(items, bytes, positionOfItem);
    take = Math.max(1, Math.ceil((MAX_PAGE_BYTES / bytes - 1) * items.length));
  }
}

/** A page that others follow. */
function pageBefore<T>(items: T[], bytes: number, positionOfItem: (item: T) => Position): Page<T> {
  return { items, next_cursor: encodeCursor(positionOfItem(items.at(-1)!)), bytes };
}

/** The bytes of a value as JSON. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function positionOf(cursor: string | undefined): Position {
  return cursor === undefined ? { before: MAX_ID } : decodeCursor(cursor)!;
}

function encodeCursor({ before, number }: Position): string {
  const digits = number === undefined ? '' : number.toString(16).padStart(12, '0');
  return Buffer.from(before.replaceAll('-', '') + digits, 'hex').toString('base64url');
}

function decodeCursor(cursor: string): Position | undefined {
  const hex = new RegExp(CURSOR.pattern).test(cursor) ? Buffer.from(cursor, 'base64url').toString('hex') : '';
  const before = hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (!isId(before)) return undefined;
  if (hex.length === 32) return { before };
  const number = Number.parseInt(hex.slice(32), 16);
  return number <= LAST_TIME ? { before, number } : undefined;
}
