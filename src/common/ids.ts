import { randomUUID } from 'node:crypto';
import { Injectable, Param, PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { v7 } from 'uuid';
import { Problem } from './problem';
import { ID } from './schemas';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A new id of a resource: UUID v7 (RFC 9562), so that ids sort by creation. */
export const newId = (): string => v7();

/** A new id of a session: UUID v4 from the system's random source, because whoever knows it holds the session. */
export const newSessionId = (): string => randomUUID();

export const isId = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

/** An id in a path. Anything but a UUID is 404, as is an unknown id. */
@Injectable()
export class IdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!isId(value)) throw new Problem('not_found');
    return value.toLowerCase();
  }
}

/** The id in a route's path, as a parameter of its handler. */
export const PathId = (): ParameterDecorator => (target, handler, index) => {
  Param('id', IdPipe)(target, handler, index);
  const method = Object.getOwnPropertyDescriptor(target, handler!)!;
  ApiParam({ name: 'id', description: 'Resource id (UUID). Any other value is 404.', schema: ID })(
    target,
    handler!,
    method,
  );
};
