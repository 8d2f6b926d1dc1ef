import { Injectable, Param, PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { ID } from './fields/schemas';
import { isId } from './ids';
import { Problem } from './problems/problem';

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
