import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
interface Parameter {
  name: string;
  in: string;
  schema?: { example?: number };
}

/** Where the paths of the API begin: `$API` in samples for a shell. */
const API = '/api/v1';

/** The field of bodies that a reader sets, because the slug in the example belongs to nobody. */
const FLOW_SLUG = /"flow_slug": "[^"]*"/;

/**
 * How to call an operation with curl, and with the client if that has a method for it: the extension `x-codeSamples`.
 * What only people in a browser call has none.
 */
export function samplesOf(operation: Operation, method: string, path: string): object[] {
  if (isForBrowsers(operation)) return [];
  const isInClient = !operation.operationId!.startsWith('operation_');
  return [
    { lang: 'Shell', label: 'curl', source: curlOf(operation, method, path) },
    ...(isInClient ? [{ lang: 'JavaScript', label: 'JavaScript', source: javaScriptOf(operation, path) }] : []),
  ];
}

function curlOf(operation: Operation, method: string, path: string): string {
  const filled = variablesIn(path, operation).reduce(
    (text, { placeholder, name, example }) => text.replace(placeholder, String(example ?? `$${name.toUpperCase()}`)),
    path,
  );
  const url = filled.startsWith(API) ? filled.replace(API, '$API') : `$SERVICE${filled}`;
  const body = bodyOf(operation);
  const isDefault = method === (body || takesFile(operation) ? 'post' : 'get');
  const scheme = schemeOf(operation);
  const key = scheme === 'operator_key' ? '$ADMIN_API_KEY' : '$API_KEY';
  const lines = [
    `curl -s ${isDefault ? '' : `-X ${method.toUpperCase()} `}"${url}"`,
    ...(scheme ? [`-H "Authorization: Bearer ${key}"`] : []),
    ...(body ? ["-H 'Content-Type: application/json'", `-d '${shellJson(body)}'`] : []),
    ...(takesFile(operation) ? ["-H 'Content-Type: application/octet-stream'", '--data-binary "@$PICTURE"'] : []),
  ];
  return lines.join(' \\\n  ');
}

function javaScriptOf(operation: Operation, path: string): string {
  const [resource, method] = operation.operationId!.split('_');
  const key = { api_key: ', apiKey', operator_key: ', apiKey: adminApiKey' }[schemeOf(operation) ?? ''] ?? '';
  const body = bodyOf(operation);
  const args = [
    ...variablesIn(path, operation).map(({ name, example }) => example ?? camelCase(name)),
    ...(body ? [javaScript(body)] : []),
    ...(takesFile(operation) ? ['picture'] : []),
  ];
  return [
    "import { RetentionFlow } from '@retention-flow/client';",
    '',
    `const rf = new RetentionFlow({ baseUrl${key} });`,
    useOf(operation, `rf.${resource}.${method}(${args.join(', ')})`),
  ].join('\n');
}

/** The line that uses the result of a call. */
function useOf({ parameters = [], responses }: Operation, call: string): string {
  const isPaged = (parameters as Parameter[]).some(({ name }) => name === 'cursor');
  // Iterating over a list reads page after page.
  if (isPaged) return `for await (const one of ${call}) {\n  console.log(one);\n}`;
  const { 200: done } = responses;
  const isFile = !!done && 'content' in done && 'text/csv' in done.content!;
  return isFile ? `const file = await ${call};\nconsole.log(await file.text());` : `console.log(await ${call});`;
}

/**
 * The parameters of a path: some have an example, the others a name that says what they identify, such as `flow_id` for
 * `/flows/{id}`.
 */
function variablesIn(path: string, { parameters = [] }: Operation) {
  return [...path.matchAll(/([\w-]+?)s?\/\{(\w+)\}/g)].map(([, resource, name]) => ({
    placeholder: `{${name}}`,
    name: name === 'id' ? `${resource.replaceAll('-', '_')}_id` : name,
    example: (parameters as Parameter[]).find((one) => one.in === 'path' && one.name === name)!.schema?.example,
  }));
}

/** Whether an operation signs people in, or takes them and no key. */
function isForBrowsers(operation: Operation): boolean {
  return operation.tags!.includes('Sign-in') || schemeOf(operation) === 'session';
}

/** The key that an operation takes. */
function schemeOf({ security = [] }: Operation): string | undefined {
  return security.flatMap((scheme) => Object.keys(scheme))[0];
}

/** Whether the body of an operation is a picture: a file in the shell, a Blob in JavaScript. */
function takesFile({ requestBody }: Operation): boolean {
  return !!requestBody && 'content' in requestBody && 'application/octet-stream' in requestBody.content;
}

/** The first example of a body. */
function bodyOf({ requestBody }: Operation): object | undefined {
  const content = requestBody && 'content' in requestBody ? requestBody.content['application/json'] : undefined;
  const [first] = Object.values(content?.examples ?? {});
  return first && 'value' in first ? (first.value as object) : undefined;
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** JSON, on one line if it is short. */
function json(value: unknown): string {
  const lines = JSON.stringify(value, null, 2);
  const line = lines.replaceAll(/\n\s*/g, ' ');
  return line.length <= 70 ? line : lines;
}

/** JSON for a shell, in single quotes; the variable in it is outside of them. */
function shellJson(body: object): string {
  const quoted = json(body).replaceAll("'", String.raw`'\''`);
  return quoted.replace(FLOW_SLUG, `"flow_slug": "'"$FLOW_SLUG"'"`);
}

/** A value as people write it in JavaScript. */
function javaScript(value: object): string {
  const text = json(value).replace(FLOW_SLUG, '"flow_slug": flowSlug');
  return text.replaceAll(/"((?:[^"\\]|\\.)*)"(:?)/g, (_, text: string, colon: string) => {
    if (colon && /^[A-Za-z_]\w*$/.test(text)) return `${text}:`;
    return `'${text.replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'${colon}`;
  });
}
