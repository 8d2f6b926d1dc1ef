import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import { isPlainObject } from '../../common/json';
import { jsonPointer } from '../../api/problems/json-pointer';
import { Problem } from '../../api/problems/problem';
import { isReserved } from './json-body';
import { isApiRequest } from '../surface';

interface ExpectedInput {
  query: boolean;
  body: boolean;
}

/**
 * Refuses query parameters and bodies with fields on API routes that declare none, and on every API route parameters
 * with a reserved name, which validation would not see. An empty object is no body: many clients send one with each
 * request.
 */
@Injectable()
export class UnexpectedInputGuard implements CanActivate {
  private readonly expectedInputs = new WeakMap<object, ExpectedInput>();

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (!isApiRequest(request)) return true;
    const { query, body = {} } = request;
    const expected = this.expectedInputOf(context);
    if (!expected.body && !isPlainObject(body)) throw Problem.invalid([{ pointer: '', message: 'must be empty here' }]);
    const parameters = Object.keys(query as object).filter((name) => !expected.query || isReserved(name));
    const fields = Object.keys(expected.body ? {} : (body as object));
    if (parameters.length + fields.length === 0) return true;
    const message = 'is not a known field';
    throw Problem.invalid([
      ...parameters.map((parameter) => ({ parameter, message })),
      ...fields.map((name) => ({ pointer: jsonPointer(name), message })),
    ]);
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
