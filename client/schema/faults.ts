import { jsonPointer } from '../../src/platform/api/problems/json-pointer.ts';
import type { BodyError } from '../src/types.ts';

/** What the validator of a JSON Schema found. */
export interface SchemaFault {
  /** A JSON Pointer. */
  instancePath: string;
  keyword: string;
  message?: string;
  params: Record<string, unknown>;
}

/** How those who write the value call its types. */
export type TypeWords = Record<'string' | 'array' | 'object' | 'boolean' | 'integer' | 'number', string>;

/**
 * A value may have one of several shapes. If none fits, nobody knows which was meant, so the faults in each are left
 * out.
 */
const CHOICES = ['oneOf', 'anyOf'];

/** What was found, in words, with pointers into the value. */
export function faultsIn(errors: SchemaFault[], words: TypeWords): BodyError[] {
  // What may also be null was meant to be the other.
  const nullable = errors.filter(({ params }) => params.type === 'null').map(({ instancePath }) => instancePath);
  const meant = errors.filter(
    ({ keyword, instancePath, params }) =>
      params.type !== 'null' && !(CHOICES.includes(keyword) && nullable.includes(instancePath)),
  );
  const chosen = meant.filter(({ keyword }) => CHOICES.includes(keyword)).map(({ instancePath }) => instancePath);
  // The innermost choice that nothing fits is where the fault is.
  const inner = chosen.filter((path) => !chosen.some((other) => other.startsWith(`${path}/`)));
  const told = meant.filter(({ keyword, instancePath }) =>
    CHOICES.includes(keyword)
      ? inner.includes(instancePath)
      : !chosen.some((path) => path === instancePath || instancePath.startsWith(`${path}/`)),
  );
  const faults = told.map((fault) => faultOf(fault, words));
  const isSame = (one: BodyError, other: BodyError) => one.pointer === other.pointer && one.message === other.message;
  return faults.filter((one, index) => faults.findIndex((other) => isSame(one, other)) === index);
}

function faultOf({ instancePath, keyword, params, message = '' }: SchemaFault, words: TypeWords): BodyError {
  const at = (name: unknown) => instancePath + jsonPointer(name as string);
  if (CHOICES.includes(keyword)) return { pointer: instancePath, message: 'has none of the shapes that it may have' };
  if (keyword === 'required') return { pointer: at(params.missingProperty), message: 'is missing' };
  if (keyword === 'additionalProperties')
    return { pointer: at(params.additionalProperty), message: 'is not a known field' };
  if (keyword === 'type') {
    const types = [params.type].flat().map((type) => words[type as keyof TypeWords] ?? type);
    return { pointer: instancePath, message: `must be ${types.join(' or ')}` };
  }
  if (keyword === 'enum')
    return { pointer: instancePath, message: `must be one of ${(params.allowedValues as unknown[]).join(', ')}` };
  if (keyword === 'discriminator')
    return { pointer: at(params.tag), message: params.tag === 'type' ? 'is no type of a node' : 'is not known' };
  if (keyword === 'pattern') return { pointer: instancePath, message: 'does not have the form that it must have' };
  return { pointer: instancePath, message };
}
