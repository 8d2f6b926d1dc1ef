import { randomInt, randomUUID } from 'node:crypto';
import { Injectable, Param, PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { v7 } from 'uuid';
import { Problem } from './problem';
import { ID } from './schemas';

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

/** The smallest UUID v7 of a time. */
export function firstIdAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** SQL for the smallest UUID v7 of a time. */
export const firstIdOf = (time: string): string => idFrom(idTime(time), `'000-8000-000000000000'`);

/** Sorts behind every id. */
export const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** In a session_id, the digit behind the version. A preview has this one, and no session of a customer does. */
const PREVIEW = 'f';

/**
 * A new session_id, the credential of a session: a UUID v8 (RFC 9562) of the workspace's code (32 bits) and nearly 90 bits
 * from the system's random source.
 */
export const newSessionId = (code: string): string => sessionIdOf(code, randomInt(15).toString(16));

/** A new session_id of a preview of a flow. */
export const newPreviewId = (code: string): string => sessionIdOf(code, PREVIEW);

function sessionIdOf(code: string, digit: string): string {
  const random = randomUUID();
  return `${code}${random.slice(8, 14)}8${digit}${random.slice(16)}`;
}

/** The id of a thing by the hash of its content, in hexadecimal digits: a UUID v8 (RFC 9562) of its first 122 bits. */
export function idOfContent(hash: string): string {
  const variant = ((parseInt(hash[16], 16) & 0x3) | 0x8).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    variant + hash.slice(17, 20),
    hash.slice(20, 32),
  ].join('-');
}

/** Tells the session_id of a preview from that of a customer's session. */
export const isPreviewId = (sessionId: string): boolean => sessionId[15] === PREVIEW;

/** Tells a session_id from the id of a record. */
export const isSessionId = (id: string): boolean => isId(id) && id[14] === '8';

/** The code of the workspace that a session_id belongs to: eight hexadecimal digits. */
export const codeIn = (sessionId: string): string => sessionId.slice(0, 8);

/** A new code for a workspace. It may be taken: see `WorkspaceCodes.assign`. */
export const newCode = (): string => randomUUID().slice(0, 8);

/** An id in a path. A value that is not a UUID is 404, as is an unknown id. */
@Injectable()
export class IdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!isId(value)) throw new Problem('not_found');
    return value.toLowerCase();
  }
}

/** The id in a route's path, as a parameter of its handler. */
export function PathId(description = 'Resource id (UUID). Any other value is 404.'): ParameterDecorator {
  return (target, handler, index) => {
    Param('id', IdPipe)(target, handler, index);
    const method = Object.getOwnPropertyDescriptor(target, handler!)!;
    ApiParam({ name: 'id', description, schema: ID, example: '019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a' })(
      target,
      handler!,
      method,
    );
  };
}
