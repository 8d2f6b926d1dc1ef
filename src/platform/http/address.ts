import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { clientAddress } from './client-address';

const requestIn = (context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>();

/** The address of the client, as limits count it, as a parameter of a handler. */
export const ClientAddress = createParamDecorator((_: unknown, context: ExecutionContext) =>
  clientAddress(requestIn(context)),
);

/** The address of the service as the client knows it, as a parameter of a handler. */
export const ServiceAddress = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { protocol, host } = requestIn(context);
  return `${protocol}://${host}`;
});
