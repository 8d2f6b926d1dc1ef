import type { FieldError } from '../../../../src/platform/api/problems/problem';

/** The most that an error lists. */
const MAX_LINES = 20;

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
