import type { FastifyInstance, FastifyRequest } from 'fastify';
import { jsonPointer } from '../../api/problems/json-pointer';
import { Problem } from '../../api/problems/problem';
import { isStorable } from '../../api/fields/text';
import { isApiRequest, isForStrangers } from '../surface';

/**
 * Refuses text that Postgres can't hold in paths, queries and forms. `parseJsonBody` refuses it in JSON. Pages and
 * files read none of these.
 */
export function refuseUnstorable(fastify: FastifyInstance): void {
  fastify.addHook('preValidation', (request, _, done) => {
    const isOfStranger = isForStrangers(request.surface);
    if (!isOfStranger && !isApiRequest(request)) return done();
    // Nothing has such a name. The routes of management check what is in their paths.
    if (isOfStranger && unstorableIn(request.params) !== undefined) return done(new Problem('not_found'));
    const message = 'must not contain a NUL character or an unpaired surrogate';
    const parameter = unstorableIn(request.query);
    if (parameter !== undefined) return done(Problem.ofParameter(parameter, message));
    const field = unstorableIn(formIn(request));
    done(field === undefined ? undefined : Problem.invalid([{ pointer: jsonPointer(field), message }]));
  });
}

/** The body of a form, whose fields are texts. */
function formIn({ headers, body }: FastifyRequest): unknown {
  return headers['content-type']?.startsWith('application/x-www-form-urlencoded') ? body : undefined;
}

/** The first field that has such a name, or such a text. */
function unstorableIn(fields: unknown): string | undefined {
  for (const name in fields as Record<string, unknown> | undefined) {
    const value = (fields as Record<string, unknown>)[name];
    const texts = Array.isArray(value) ? (value as unknown[]) : [value];
    if (!isStorable(name) || texts.some((text) => typeof text === 'string' && !isStorable(text))) return name;
  }
  return undefined;
}
