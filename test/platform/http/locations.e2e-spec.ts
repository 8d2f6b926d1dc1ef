import { readFileSync } from 'node:fs';
import { serviceForAll } from '../../support/service';

interface Creation {
  security: Record<string, unknown>[];
  requestBody?: { content: { 'application/json': { examples: Record<string, { value: object }> } } };
  responses: Record<string, unknown>;
}
type Document = { paths: Record<string, { get?: object; post?: Creation }> };

const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Document;
const creations = Object.entries(paths).flatMap(([path, { post }]) =>
  // What the client names by an id of its own is 200 when it was there before, and has no Location. The Location of a
  // declaration is a page.
  post && '201' in post.responses && !('200' in post.responses) && !path.includes('/exit/')
    ? [[path, post] as const]
    : [],
);

/** A path without its last segment. */
const base = (path: string) => path.replace(/[^/]+$/, '');

describe('What was created', () => {
  const service = serviceForAll();

  it.each(creations)('is at its Location: POST %s', async (path, { security, requestBody }) => {
    const acme = await service.workspace();
    const flow = await acme.publishedFlow();
    const [scheme] = security.flatMap((keys) => Object.keys(keys));
    const ada = path.includes('/invitations') ? await service.person(acme) : undefined;
    const client = { api_key: acme.client, operator_key: service.operator, session: ada }[scheme] ?? service.client;
    const [example] = Object.values(requestBody?.content['application/json'].examples ?? {});
    const body = example && { ...example.value, ...('flow_slug' in example.value && { flow_slug: flow.slug }) };
    const created = await client.send('POST', path.replace('{id}', path.includes('/flows/') ? flow.id : acme.id), {
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    expect([created.status, created.body]).toEqual([201, created.body]);

    const location = created.headers.get('location')!;
    // A key that the operator issued is the workspace's, and so is an invitation. A test workspace is none of its maker's.
    const owners = { public: ada ?? acme.client, admin: service.operator };
    const owner = Object.entries(owners).find(([surface]) => location.startsWith(`/api/v1/${surface}/`))?.[1] ?? client;
    // Keys can't be read, only deleted.
    const isRead = Object.entries(paths).some(
      ([one, { get }]) => get && one.endsWith('}') && base(one) === base(location),
    );
    const found = await (isRead ? owner.get(location) : owner.delete(location));
    const idOf = ({ id, session_id }: Record<string, unknown>) => id ?? session_id;
    expect([found.status, idOf(found.body)]).toEqual([200, idOf(created.body)]);
  });
});
