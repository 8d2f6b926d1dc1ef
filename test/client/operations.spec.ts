import { readFileSync } from 'node:fs';
import { RetentionFlow } from '@retention-flow/client';

interface Operation {
  operationId: string;
  parameters?: { in: string }[];
  requestBody?: object;
}
type Methods = Record<string, Record<string, (...args: unknown[]) => Promise<unknown>>>;

const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
const operations = Object.entries(paths)
  .flatMap(([path, item]) => Object.entries(item).map(([verb, operation]) => ({ verb, path, ...operation })))
  .filter(({ operationId }) => !operationId.startsWith('operation_'));

/** What a client sends, each answered with an empty object, or an empty file. */
function recorded() {
  const sent: Request[] = [];
  const fetch = async (request: Request) => {
    sent.push(request);
    const isFile = new URL(request.url).pathname.endsWith('.csv');
    return isFile ? new Response('', { headers: { 'content-type': 'text/csv; charset=utf-8' } }) : Response.json({});
  };
  const client = new RetentionFlow({ baseUrl: 'http://flows.example/', apiKey: 'key', fetch: fetch as never });
  return { sent, methods: client as unknown as Methods };
}

describe('The client', () => {
  it('has a method for each operation, and no others', () => {
    const { methods } = recorded();
    const named = Object.entries(methods).flatMap(([resource, group]) =>
      Object.getOwnPropertyNames(Object.getPrototypeOf(group))
        .filter((method) => method !== 'constructor')
        .map((method) => `${resource}_${method}`),
    );
    expect(named.toSorted()).toEqual(operations.map(({ operationId }) => operationId).toSorted());
  });

  it.each(operations)('sends $operationId where it belongs', async (operation) => {
    const { operationId, verb, path, parameters = [], requestBody } = operation;
    const { sent, methods } = recorded();
    const [resource, method] = operationId.split('_');
    const values = parameters.filter((parameter) => parameter.in === 'path').map((_, index) => `a/${index}`);
    const hasQuery = parameters.some((parameter) => parameter.in === 'query');
    const isFile = operationId === 'images_upload';
    const body = isFile ? new Blob(['a picture']) : { some: 'field' };
    const given = [...values, ...(requestBody ? [body] : []), ...(hasQuery ? [{ limit: 2 }] : [])];
    await methods[resource][method](...given);
    const [request] = sent;
    let index = 0;
    const expected = path.replaceAll(/{\w+}/g, () => encodeURIComponent(values[index++]));
    expect([request.method, request.url]).toEqual([
      verb.toUpperCase(),
      `http://flows.example${expected}${hasQuery ? '?limit=2' : ''}`,
    ]);
    expect(request.headers.get('authorization')).toBe('Bearer key');
    expect(await request.text()).toBe(requestBody ? (isFile ? 'a picture' : '{"some":"field"}') : '');
  });
});
