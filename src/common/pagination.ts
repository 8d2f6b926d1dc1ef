import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Field, IntegerField } from './fields';
import { isId, MAX_ID } from './ids';

/** A page has at most this many items. */
export const MAX_PAGE = 500;

/** The 16 bytes of an id, in base64url; of a list of changes, also the 6 bytes of a time. */
const CURSOR = { type: 'string', pattern: '^[A-Za-z0-9_-]{22}([A-Za-z0-9_-]{8})?$', maxLength: 30 } as const;
/** Times in responses have a year of four digits. */
const LAST_TIME = Date.UTC(9999, 11, 31);

/** The parameters of every list: newest first, `limit` at a time, from `cursor` on. */
export class PageQuery {
  @Transform(({ value }) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : (value as unknown)))
  @IntegerField({ description: 'The most items to return.', min: 1, max: MAX_PAGE, default: 100, optional: true })
  limit: number = 100;

  @Field(
    { description: 'The `next_cursor` of the previous page. Leave it out for the first page.', optional: true },
    CURSOR,
    'must be a next_cursor that this list answered',
    (value, { updated_since }: { updated_since?: string }) => {
      const position = typeof value === 'string' ? decodeCursor(value) : undefined;
      return position !== undefined && (position.until === undefined) === (updated_since === undefined);
    },
  )
  cursor?: string;
}

/** Items of a list, newest first. */
export interface Page<T> {
  items: T[];
  /** Where the next page begins; null after the last. */
  next_cursor: string | null;
}

/** What stands beside the items of every page. */
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
interface Position {
  /** The id that it comes before. */
  before: string;
  /** Of a list of changes: the time until which it goes, the same on all its pages. */
  until?: Date;
}

/** The time until which a list of changes goes, if this is not its first page. */
export function untilOf({ cursor }: PageQuery): Date | undefined {
  return cursor === undefined ? undefined : decodeCursor(cursor)!.until;
}

/**
 * Reads a page. `read` gets the id that the page comes before and the number of rows to read, newest first: one more than
 * the page holds, which tells whether there is a next page.
 *
 * Ids sort by creation, so the last id of a page is its cursor. The row itself may be gone when the cursor comes back.
 *
 * @param until the time until which a list of changes goes
 */
export async function readPage<T extends { id: string }>(
  { limit, cursor }: PageQuery,
  read: (before: string, take: number) => Promise<T[]>,
  until?: Date,
): Promise<Page<T>> {
  const { before } = cursor === undefined ? { before: MAX_ID } : decodeCursor(cursor)!;
  const rows = await read(before, limit + 1);
  const items = rows.slice(0, limit);
  return { items, next_cursor: rows.length > limit ? encodeCursor({ before: items[limit - 1].id, until }) : null };
}

function encodeCursor({ before, until }: Position): string {
  const time = until ? until.getTime().toString(16).padStart(12, '0') : '';
  return Buffer.from(before.replaceAll('-', '') + time, 'hex').toString('base64url');
}

function decodeCursor(cursor: string): Position | undefined {
  const hex = new RegExp(CURSOR.pattern).test(cursor) ? Buffer.from(cursor, 'base64url').toString('hex') : '';
  const before = hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (!isId(before)) return undefined;
  if (hex.length === 32) return { before };
  const time = Number.parseInt(hex.slice(32), 16);
  return time <= LAST_TIME ? { before, until: new Date(time) } : undefined;
}
