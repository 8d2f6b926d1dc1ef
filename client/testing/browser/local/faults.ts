import type { Validate } from 'shapes';
import type { FieldError } from '../../../../src/platform/api/problems/problem';
import { faultsIn, type TypeWords } from '../../../schema/faults';

/** The most that an error lists. */
const MAX_LINES = 20;

const IN_YAML: TypeWords = {
  string: 'text',
  array: 'a list',
  object: 'an object',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
};

/** Why a value does not have a shape, with pointers into it. */
export function shapeFaults(validate: Validate, value: unknown): FieldError[] {
  return validate(value) ? [] : faultsIn(validate.errors ?? [], IN_YAML);
}

/** An error that lists faults of something, each with the place where it is. */
export function refused(what: string, faults: FieldError[]): Error {
  const lines = faults.slice(0, MAX_LINES).map(({ pointer, message }) => `${pointer || 'It'} ${message}`);
  if (faults.length > MAX_LINES) lines.push(`… and ${faults.length - MAX_LINES} more`);
  return new Error(`${what} can't be used.\n${lines.join('\n')}`);
}

/** Faults of a part, with pointers into the whole. */
export function within(place: string, faults: FieldError[]): FieldError[] {
  return faults.map(({ pointer, message }) => ({ pointer: place + pointer, message }));
}
