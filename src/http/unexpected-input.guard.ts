import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import { jsonPointer, Problem } from '../common/problem';
import { isReserved } from './json-body';
import { isApiRequest } from './surface';

interface ExpectedInput {
  query: boolean;
  body: boolean;
}

/**
 * Refuses query parameters and bodies on API routes that declare none, and on every API route parameters with a reserved name,
 * which validation would not see.
 */
@Injectable()
export class UnexpectedInputGuard implements CanActivate {
  private readonly expectedInputs = new WeakMap<object, ExpectedInput>();

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (!isApiRequest(request)) return true;
    const expected = this.expectedInputOf(context);
    const unexpected = Object.keys(request.query as object).find((name) => !expected.query || isReserved(name));
    if (unexpected !== undefined) {
      throw Problem.invalid([{ pointer: jsonPointer(unexpected), message: 'is not a known field' }]);
    }
    if (!expected.body && request.body !== undefined) {
      throw Problem.invalid([{ pointer: '', message: 'must be empty here' }]);
    }
    return true;
  }

  private expectedInputOf(context: ExecutionContext): ExpectedInput {
    const handler = context.getHandler();
    const cached = this.expectedInputs.get(handler);
    if (cached) return cached;
    // Nest keys the arguments of a handler as `<type>:<index>`.
    const args = Object.keys(
      (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name) ?? {}) as object,
    );
    const has = (type: RouteParamtypes) => args.some((arg) => arg.startsWith(`${type}:`));
    const expected = { query: has(RouteParamtypes.QUERY), body: has(RouteParamtypes.BODY) };
    this.expectedInputs.set(handler, expected);
    return expected;
  }
}
