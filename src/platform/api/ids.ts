import { v7 } from 'uuid';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isId = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

/** A new id of a resource: UUID v7 (RFC 9562), so that ids sort by creation. */
export const newId = (): string => v7();

/** A new id of something that happened at another time. */
export const newIdAt = (time: Date): string => v7({ msecs: time.getTime() });

/** SQL for the first 12 hexadecimal digits of a UUID v7, which are its time. */
export const idTime = (time: string): string => `lpad(to_hex((extract(epoch FROM ${time}) * 1000)::bigint), 12, '0')`;

/** SQL for the UUID v7 of an `idTime` and the random part of a UUID. Both are text. */
export const idFrom = (idTime: string, random: string): string => `(${idTime} || '-7' || right(${random}, 21))::uuid`;

/**
 * SQL for a new UUID v7 whose first random bits are fractions of the millisecond (RFC 9562, 6.2, method 3), so that ids
 * which the database makes one after another sort in that order.
 */
export const eventIdAt = (time: string): string =>
  idFrom(
    idTime(`date_trunc('milliseconds', ${time})`),
    `lpad(to_hex(mod(extract(microseconds FROM ${time})::bigint, 1000) * 4096 / 1000), 3, '0') ||
      right(gen_random_uuid()::text, 18)`,
  );

/** SQL for a UUID v7 that was made so many milliseconds earlier. Its random part stays. */
export const earlierId = (id: string, ms: string): string =>
  idFrom(
    `lpad(to_hex(('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint - ${ms}::bigint), 12, '0')`,
    `${id}::text`,
  );

/** Whether two ids are of one record, even if `earlierId` has given it another in between. */
export const isSameRecord = (one: string | null, other: string): boolean => one?.slice(15) === other.slice(15);

/** The smallest UUID v7 of a time. */
export function firstIdAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** SQL for the smallest UUID v7 of a time. */
export const firstIdOf = (time: string): string => idFrom(idTime(time), `'000-8000-000000000000'`);

/** Sorts behind every id. */
export const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
