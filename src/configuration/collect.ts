import { type FieldError, MAX_FIELD_ERRORS } from '../platform/api/problem';

/** Adds faults to others, as far as a response lists them. */
export function collect(faults: FieldError[], more: FieldError[]): void {
  for (const fault of more.slice(0, Math.max(0, MAX_FIELD_ERRORS - faults.length))) faults.push(fault);
}
