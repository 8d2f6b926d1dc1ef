import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Field, IntegerField } from './fields';
import { isId } from './ids';

/** A page has at most this many items. */
export const MAX_PAGE = 500;

/** The 16 bytes of an id, in base64url. */
const CURSOR = { type: 'string', pattern: '^[A-Za-z0-9_-]{22}$', maxLength: 22 } as const;

/** The parameters of every list: newest first, `limit` at a time, from `cursor` on. */
export class PageQuery {
  @Transform(({ value }) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : (value as unknown)))
  @IntegerField({ description: 'The most items to answer.', min: 1, max: MAX_PAGE, default: 100, optional: true })
  limit: number = 100;

  @Field(
    { description: 'The `next_cursor` of the page before; leave it out for the first page.', optional: true },
    CURSOR,
    'must be a next_cursor that this list answered',
    (value) => typeof value === 'string' && decodeCursor(value) !== undefined,
  )
  cursor?: string;
}

/** What stands beside the items of every page. */
export class PageInfo {
  @ApiProperty({
    ...CURSOR,
    nullable: true,
    description: 'Where the next page begins: send it as `cursor`. null at the end.',
    example: null,
  })
  next_cursor: string | null;
}

/** The id that a page begins after, for `WHERE id < …`; undefined for the first page. */
export function idAfter({ cursor }: PageQuery): string | undefined {
  return cursor === undefined ? undefined : decodeCursor(cursor);
}

/**
 * A page out of rows that were read newest first with a LIMIT of one more than the page holds:
 * the surplus row tells that there is a next page.
 */
export function pageOf<T extends { id: string }>(rows: T[], limit: number): { items: T[]; next_cursor: string | null } {
  const items = rows.slice(0, limit);
  return { items, next_cursor: rows.length > limit ? encodeCursor(items[limit - 1].id) : null };
}

/** Ids are UUID v7 and sort by creation, so the last id of a page is all its cursor has to hold. */
function encodeCursor(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

function decodeCursor(cursor: string): string | undefined {
  const hex = /^[\w-]{22}$/.test(cursor) ? Buffer.from(cursor, 'base64url').toString('hex') : '';
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return isId(id) ? id : undefined;
}
