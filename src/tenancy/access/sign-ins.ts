import type { FastifyRequest } from 'fastify';
import type { SignedInPerson } from './signed-in-person';

/** Finds the person who is signed in. The module of people implements it; without it, only API keys are let in. */
export abstract class SignIns {
  /** The token in the cookie of a request. */
  abstract tokenIn(request: FastifyRequest): string | undefined;

  /** The person whose session has a token with this hash, while the session lasts. */
  abstract find(hash: Buffer): Promise<SignedInPerson | undefined>;
}
