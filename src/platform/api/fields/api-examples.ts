import type { Type } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';

/**
 * Documents a body by examples, each under its name. Swagger UI fills in the first, so that one must work as it is;
 * the others may ask for ids to be pasted in. A test executes them all.
 */
export function ApiExamples<T extends object>(type: Type<T>, examples: Record<string, T>): MethodDecorator {
  const named = Object.entries(examples).map(([name, value]) => [name, { value }] as const);
  return ApiBody({ type, examples: Object.fromEntries(named) });
}
