import type { OpenAPIObject } from '@nestjs/swagger';
import { apiDiff, type Diff } from 'api-smart-diff';

/**
 * What of a document breaks a program that was written for an older one, as paths into the document.
 *
 * Clients have to ignore fields that they don't know, and to expect new values and shapes in what they read: those are
 * no breaks. The service refuses fields that it doesn't know, so a field of a request that goes is one.
 */
export function breakingChanges(older: OpenAPIObject, newer: OpenAPIObject): string[] {
  const changes: Diff[] = apiDiff(comparable(older), comparable(newer));
  // The names of schemas don't matter; what they describe is compared where it is used.
  const ofOperations = changes.filter(({ path }) => path[0] === 'paths');
  const swapped = new Set(changes.filter((change) => isSwapped(change, changes)));
  const ofSwapped = changes.filter(
    ({ path }) =>
      path[0] === 'components' && [...swapped].some(({ before }) => before === `#/components/schemas/${path[2]}`),
  );
  const asRequests = ofSwapped
    .filter((change) => !swapped.has(change))
    .map((change) => ({ ...change, path: ['paths', '', '', 'requestBody', ...change.path] }));
  return [...ofOperations, ...asRequests]
    .filter((change) => !swapped.has(change) && isBreak(change))
    .map(({ action, path }) => `${action} ${path.join(' ')}`);
}

/**
 * Whether a shape stands in another place of its list only: the library pairs shapes that look alike. It is compared by
 * its name then.
 */
function isSwapped({ action, path, before }: Diff, changes: Diff[]): boolean {
  if (action !== 'replace' || path.at(-1) !== '$ref' || path.at(-3) !== 'oneOf') return false;
  const list = path.slice(0, -2).join(' ');
  return changes.some(({ path: other, after }) => {
    const shape = (after as { $ref?: string } | undefined)?.$ref ?? (after as unknown);
    return shape === before && other.join(' ').startsWith(list);
  });
}

/** The library's judgement, and what it judges too mildly or too strictly. */
function isBreak({ type, action, path }: Diff): boolean {
  const [, , , part] = path;
  const [parent, key] = path.slice(-2);
  if (part === 'security' || key === 'operationId') return true;
  // Also of a field with the name "type".
  if (key === 'description' && action === 'replace') return false;
  if (parent === 'type' || (key === 'type' && action === 'replace')) return true;
  if (part === 'requestBody' && action === 'add' && parent === 'required') return true;
  if (part === 'requestBody' && action === 'remove' && parent === 'properties') return true;
  if (path.some((name) => ['example', 'examples', 'x-codes', 'x-codeSamples'].includes(String(name)))) return false;
  // Of several shapes, the library pairs a new one with an old one; each shape is compared by its own webhook, too.
  if (part === 'responses' && key === '$ref') return false;
  // A list of values is as long as there are values.
  if (part === 'responses' && key === 'maxItems') return false;
  if (part === 'responses' && action === 'add' && NEW_IN_A_RESPONSE.has(String(parent))) return false;
  return type === 'breaking' || type === 'unclassified';
}

const NEW_IN_A_RESPONSE = new Set(['required', 'enum', 'oneOf', 'anyOf', 'mapping']);

/** The library knows no webhooks: what they send is put where it is read like a response. */
function comparable({ webhooks = {}, ...document }: OpenAPIObject): OpenAPIObject {
  const paths = { ...document.paths };
  for (const [name, { post }] of Object.entries(webhooks)) {
    const { content } = post!.requestBody as { content: Record<string, object> };
    paths[`/webhooks/${name}`] = { get: { responses: { 200: { description: '', content } } } };
  }
  return { ...document, paths };
}
