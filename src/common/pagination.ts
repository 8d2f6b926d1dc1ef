import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Field, IntegerField } from './fields';
import { isId, MAX_ID } from './ids';

/** A page has at most this many items. */
export const MAX_PAGE = 500;

/** The 16 bytes of an id, in base64url. */
const CURSOR = { type: 'string', pattern: '^[A-Za-z0-9_-]{22}$', maxLength: 22 } as const;

/** The parameters of every list: newest first, `limit` at a time, from `cursor` on. */
export class PageQuery {
  @Transform(({ value }) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : (value as unknown)))
  @IntegerField({ description: 'The most items to return.', min: 1, max: MAX_PAGE, default: 100, optional: true })
  limit: number = 100;

  @Field(
    { description: 'The `next_cursor` of the previous page. Leave it out for the first page.', optional: true },
    CURSOR,
    'must be a next_cursor that this list answered',
    (value) => typeof value === 'string' && decodeCursor(value) !== undefined,
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

/**
 * Reads a page. `read` gets the id that the page comes before and the number of rows to read, newest first: one more than
 * the page holds, which tells whether there is a next page.
 *
 * Ids sort by creation, so the last id of a page is its cursor. The row itself may be gone when the cursor comes back.
 */
export async function readPage<T extends { id: string }>(
  { limit, cursor }: PageQuery,
  read: (before: string, take: number) => Promise<T[]>,
): Promise<Page<T>> {
  const before = cursor === undefined ? MAX_ID : decodeCursor(cursor)!;
  const rows = await read(before, limit + 1);
  const items = rows.slice(0, limit);
  return { items, next_cursor: rows.length > limit ? encodeCursor(items[limit - 1].id) : null };
}

function encodeCursor(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

function decodeCursor(cursor: string): string | undefined {
  const hex = /^[\w-]{22}$/.test(cursor) ? Buffer.from(cursor, 'base64url').toString('hex') : '';
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return isId(id) ? id : undefined;
}
