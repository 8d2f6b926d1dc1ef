import type { BodyError, FlowDefinition } from '@retention-flow/client';
import { validate } from '@retention-flow/definition-schema';
import { faultsIn, type TypeWords } from '../../../../../client/schema/faults';

/** A definition if its nodes can be edited one by one; undefined if it is JSON that is no graph. */
export function graphOf(definition: unknown): FlowDefinition | undefined {
  const isGraph = validate(definition) && (definition as FlowDefinition).nodes.length > 0;
  return isGraph ? (definition as FlowDefinition) : undefined;
}

const IN_JSON: TypeWords = {
  string: 'a text in double quotes',
  array: 'a list in brackets [ ]',
  object: 'an object in braces { }',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
};

/** Why JSON is no graph, with pointers into it. Empty for a graph. */
export function shapeFaultsOf(definition: unknown): BodyError[] {
  if (validate(definition)) return graphOf(definition) ? [] : [{ pointer: '/nodes', message: 'must have a node' }];
  return faultsIn(validate.errors ?? [], IN_JSON);
}
