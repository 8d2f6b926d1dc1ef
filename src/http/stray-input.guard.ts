import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import { jsonPointer, Problem } from '../common/problem';
import { isInterface } from './surface';

interface Inputs {
  query: boolean;
  body: boolean;
}

/** Refuses parameters and bodies on routes that take none. On those that take some, validation refuses what is unknown. */
@Injectable()
export class StrayInputGuard implements CanActivate {
  private readonly inputs = new WeakMap<object, Inputs>();

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (!isInterface(request)) return true;
    const taken = this.inputsOf(context);
    const [parameter] = taken.query ? [] : Object.keys(request.query as object);
    if (parameter !== undefined) {
      throw Problem.invalid([{ pointer: jsonPointer(parameter), message: 'is not a known field' }]);
    }
    if (!taken.body && request.body !== undefined) {
      throw Problem.invalid([{ pointer: '', message: 'must be empty here' }]);
    }
    return true;
  }

  private inputsOf(context: ExecutionContext): Inputs {
    const handler = context.getHandler();
    const known = this.inputs.get(handler);
    if (known) return known;
    // Nest notes the parameters of a handler as `<type>:<index>`.
    const parameters = Object.keys(
      (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name) ?? {}) as object,
    );
    const takes = (type: RouteParamtypes) => parameters.some((parameter) => parameter.startsWith(`${type}:`));
    const inputs = { query: takes(RouteParamtypes.QUERY), body: takes(RouteParamtypes.BODY) };
    this.inputs.set(handler, inputs);
    return inputs;
  }
}
