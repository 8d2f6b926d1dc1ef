import { createParamDecorator, type ExecutionContext, Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Language } from '../platform/text/languages';
import { clientAddress } from '../platform/http/client-address';
import { chosenLanguage } from './words/choice';

/** The parts of a request for an exit page other than its body. */
export interface ExitRequest {
  /** The client's, for limits. */
  address: string;
  /** Where the service is, as the request says. */
  base: string;
  /** The language of the page and of the receipt. */
  language: Language;
}

export function readExitRequest(request: FastifyRequest): ExitRequest {
  const { lang } = request.query as { lang?: unknown };
  const asked = typeof lang === 'string' ? lang : undefined;
  const language = chosenLanguage(asked, request.headers['accept-language']);
  return { address: clientAddress(request), base: `${request.protocol}://${request.host}`, language };
}

export const ExitRequest = createParamDecorator((_: unknown, context: ExecutionContext) =>
  readExitRequest(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** The slug in a route's path, as a parameter of its handler. */
export function PathSlug(): ParameterDecorator {
  return (target, handler, index) => {
    Param('slug')(target, handler, index);
    const method = Object.getOwnPropertyDescriptor(target, handler!)!;
    const schema = { type: 'string', maxLength: 69 } as const;
    ApiParam({ name: 'slug', description: 'The `slug` of the flow.', schema })(target, handler!, method);
  };
}
