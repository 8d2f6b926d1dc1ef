import type { Answer } from './client';

/** Traces of the implementation: a stack, a file, a product, a version, a query. */
const IMPLEMENTATION =
  /node_modules|\bat .+:\d+:\d+|\.[jt]s\b|fastify|\bnest(js)?\b|\bexpress\b|typeorm|postgres|select .+ from|\d+\.\d+\.\d+/i;

/**
 * The response is a problem (RFC 9457) of the one documented shape, carries its Request-Id, and hides the
 * implementation.
 */
export function expectProblem({ status, headers, body }: Answer): void {
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json(; charset=utf-8)?$/);
  expect(body).toEqual({
    type: 'about:blank',
    title: expect.stringMatching(/^[A-Z][A-Za-z ]+$/),
    status,
    detail: expect.stringMatching(/\S/),
    code: expect.stringMatching(/^[a-z_]+$/),
    request_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    ...('errors' in body && { errors: expect.any(Array) }),
    ...('reason' in body && { reason: expect.stringMatching(/^[a-z_]+$/) }),
    ...('cancellation_url' in body && { cancellation_url: expect.any(String) }),
  });
  for (const error of body.errors ?? []) {
    const message = expect.stringMatching(/\S/) as string;
    const place =
      error.parameter !== undefined
        ? { parameter: expect.stringMatching(/^[^/]*$/) }
        : { pointer: expect.stringMatching(/^(\/.*)?$/s) };
    expect(error).toEqual({ ...place, message });
  }
  expect(headers.get('request-id')).toBe(body.request_id);
  expectNoImplementationDetails(headers, JSON.stringify(body));
}

export function expectNoImplementationDetails(headers: Headers, text: string): void {
  expect(text).not.toMatch(IMPLEMENTATION);
  expect([...headers.keys()].filter((name) => /^(server|via|x-powered-by|x-.*version.*)$/.test(name))).toEqual([]);
  expect([...headers].filter(([name, value]) => name !== 'date' && IMPLEMENTATION.test(value))).toEqual([]);
}
