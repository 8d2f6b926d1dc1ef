import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
interface Parameter {
  name: string;
  in: string;
  example?: string | number;
  schema?: { example?: string | number };
}

/** One sample of how to call an operation, as the extension `x-codeSamples` has it. */
interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** Where the paths of the API begin: `$API` in samples for a shell. */
const API = '/api/v1';

/** Fields of bodies whose value a reader sets, because the one in the example belongs to nobody. */
const SET_BY_READER = ['flow_slug'];

/** How to call an operation with curl, and with the client if that has a method for it. */
export function samplesOf(operation: Operation, method: string, path: string): CodeSample[] {
  const [scheme] = (operation.security ?? []).flatMap((keys) => Object.keys(keys));
  const call = { operation, method, path, scheme, body: firstBodyOf(operation) };
  const curl = { lang: 'Shell', label: 'curl', source: curlOf(call) };
  const isInClient = !operation.operationId!.startsWith('operation_');
  return isInClient ? [curl, { lang: 'JavaScript', label: 'JavaScript', source: javaScriptOf(call) }] : [curl];
}

interface Call {
  operation: Operation;
  method: string;
  path: string;
  /** Of the key that it takes; undefined if it takes none. */
  scheme?: string;
  /** Of the first example. */
  body?: object;
}

function curlOf({ operation, method, path, scheme, body }: Call): string {
  const filled = fillIn(path, operation, (name) => `$${name.toUpperCase()}`);
  const url = filled.startsWith(API) ? filled.replace(API, '$API') : `$SERVICE${filled}`;
  const isDefault = method === (body ? 'post' : 'get');
  const key = scheme === 'operator_key' ? '$ADMIN_API_KEY' : '$API_KEY';
  const lines = [
    `curl -s ${isDefault ? '' : `-X ${method.toUpperCase()} `}"${url}"`,
    ...(scheme ? [`-H "Authorization: Bearer ${key}"`] : []),
    ...(body ? ["-H 'Content-Type: application/json'", `-d '${shellJson(body)}'`] : []),
  ];
  return lines.join(' \\\n  ');
}

function javaScriptOf({ operation, path, scheme, body }: Call): string {
  const { operationId } = operation;
  const [resource, method] = operationId!.split('_');
  const key = { api_key: ', apiKey', operator_key: ', apiKey: adminApiKey' }[scheme ?? ''] ?? '';
  const args: string[] = [];
  fillIn(path, operation, (name, example) => {
    args.push(example === undefined ? camelCase(name) : javaScript(example));
    return '';
  });
  if (body) args.push(javaScript(body));
  const call = `rf.${resource}.${method}(${args.join(', ')})`;
  return [
    "import { RetentionFlow } from '@retention-flow/client';",
    '',
    `const rf = new RetentionFlow({ baseUrl${key} });`,
    useOf(operation, call),
  ].join('\n');
}

/** What a program does with the answer of a call. */
function useOf(operation: Operation, call: string): string {
  // A list goes on from page to page by itself.
  if (isPaged(operation)) return `for await (const one of ${call}) {\n  console.log(one);\n}`;
  if (isFile(operation)) return `const file = await ${call};\nconsole.log(await file.text());`;
  return `console.log(await ${call});`;
}

/**
 * Fills in the parameters of a path: those with an example by it, the others by a variable that says what it identifies,
 * such as `flow_id` for `/flows/{id}`.
 */
function fillIn(
  path: string,
  { parameters = [] }: Operation,
  variable: (name: string, example?: string | number) => string,
) {
  return path.replaceAll(/([\w-]+)\/\{(\w+)\}/g, (_, segment: string, name: string) => {
    const { example, schema } = (parameters as Parameter[]).find((one) => one.in === 'path' && one.name === name)!;
    const value = example ?? schema?.example;
    const shown = variable(name === 'id' ? `${singular(segment)}_id` : name, value);
    return `${segment}/${value === undefined ? shown : String(value)}`;
  });
}

/** `customer-keys` → `customer_key`. */
function singular(segment: string): string {
  return segment.replace(/s$/, '').replaceAll('-', '_');
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function isPaged({ parameters = [] }: Operation): boolean {
  return (parameters as Parameter[]).some(({ name }) => name === 'cursor');
}

function isFile({ responses }: Operation): boolean {
  const { 200: done } = responses;
  return !!done && 'content' in done && 'text/csv' in done.content!;
}

function firstBodyOf({ requestBody }: Operation): object | undefined {
  const content = requestBody && 'content' in requestBody ? requestBody.content['application/json'] : undefined;
  const [first] = Object.values(content?.examples ?? {});
  return first && 'value' in first ? (first.value as object) : undefined;
}

/** On one line if it is short. */
function json(value: unknown): string {
  const lines = JSON.stringify(value, null, 2);
  const line = lines.replaceAll(/\n\s*/g, ' ');
  return line.length <= 70 ? line : lines;
}

/** JSON for a shell, in single quotes; variables in it are outside of them. */
function shellJson(body: object): string {
  const quoted = json(body).replaceAll("'", String.raw`'\''`);
  return quoted.replaceAll(variableFields(), (_, field: string) => `"${field}": "'"$${field.toUpperCase()}"'"`);
}

/** A value as people write it in JavaScript. */
function javaScript(value: unknown): string {
  const text = json(value).replaceAll(variableFields(), (_, field: string) => {
    return `"${field}": ${camelCase(field)}`;
  });
  return text.replaceAll(/"((?:[^"\\]|\\.)*)"(:?)/g, (_, text: string, colon: string) => {
    if (colon && /^[A-Za-z_]\w*$/.test(text)) return `${text}:`;
    return `'${text.replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'${colon}`;
  });
}

function variableFields(): RegExp {
  return new RegExp(`"(${SET_BY_READER.join('|')})": "[^"]*"`, 'g');
}
