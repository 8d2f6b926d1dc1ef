import type { BodyError, FlowDefinition } from '@retention-flow/client';
import { validate } from '@retention-flow/definition-schema';

/** A definition if its nodes can be edited one by one; undefined if it is JSON that is no graph. */
export function graphOf(definition: unknown): FlowDefinition | undefined {
  const isGraph = validate(definition) && (definition as FlowDefinition).nodes.length > 0;
  return isGraph ? (definition as FlowDefinition) : undefined;
}

const TYPES: Record<string, string> = {
  string: 'a text in double quotes',
  array: 'a list in brackets [ ]',
  object: 'an object in braces { }',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
};

/**
 * A value may have one of several shapes. If none fits, nobody knows which was meant, so the faults in each are left
 * out.
 */
const CHOICES = ['oneOf', 'anyOf'];

/** Why JSON is no graph, with pointers into it. Empty for a graph. */
export function shapeFaultsOf(definition: unknown): BodyError[] {
  if (validate(definition)) return graphOf(definition) ? [] : [{ pointer: '/nodes', message: 'must have a node' }];
  const errors = validate.errors ?? [];
  const chosen = errors.filter(({ keyword }) => CHOICES.includes(keyword)).map(({ instancePath }) => instancePath);
  // The innermost choice that nothing fits is where the fault is.
  const inner = chosen.filter((path) => !chosen.some((other) => other.startsWith(`${path}/`)));
  const told = errors.filter(({ keyword, instancePath }) =>
    CHOICES.includes(keyword)
      ? inner.includes(instancePath)
      : !chosen.some((path) => path === instancePath || instancePath.startsWith(`${path}/`)),
  );
  return told.map(({ instancePath, keyword, params, message = '' }) => {
    if (keyword === 'required')
      return { pointer: `${instancePath}/${params.missingProperty as string}`, message: 'is missing' };
    if (keyword === 'type')
      return {
        pointer: instancePath,
        message: `must be ${[params.type]
          .flat()
          .map((type) => TYPES[type as string] ?? type)
          .join(' or ')}`,
      };
    if (keyword === 'enum')
      return { pointer: instancePath, message: `must be one of ${(params.allowedValues as unknown[]).join(', ')}` };
    if (keyword === 'discriminator') return { pointer: `${instancePath}/type`, message: 'is no type of a node' };
    return {
      pointer: instancePath,
      message: CHOICES.includes(keyword) ? 'has none of the shapes that it may have' : message,
    };
  });
}
