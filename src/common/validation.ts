import { PipeTransform, ValidationError, ValidationPipe } from '@nestjs/common';
import { FieldError, jsonPointer, Problem } from './problem';

/** Holds every body and query against its DTO; a field the DTO does not know is an error, never dropped. */
export function createValidationPipe(): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    // Nothing is looked at in a list that is too long.
    stopAtFirstError: true,
    exceptionFactory: (errors) => Problem.invalid(fieldErrors(errors, [])),
  });
}

function fieldErrors(errors: ValidationError[], path: string[]): FieldError[] {
  return errors.flatMap(({ property, constraints, children }) => {
    const pointer = jsonPointer(...path, property);
    const messages = Object.entries(constraints ?? {}).map(([rule, message]) =>
      rule === 'whitelistValidation' ? 'is not a known field' : message,
    );
    return [
      ...[...new Set(messages)].map((message) => ({ pointer, message })),
      ...fieldErrors(children ?? [], [...path, property]),
    ];
  });
}

/** Refuses a change that changes nothing. */
export class ChangesPipe implements PipeTransform<object, object> {
  transform(changes: object): object {
    if (Object.values(changes).every((value) => value === undefined)) {
      throw Problem.invalid([{ pointer: '', message: 'must name at least one field to change' }]);
    }
    return changes;
  }
}
