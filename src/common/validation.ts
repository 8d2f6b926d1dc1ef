import { PipeTransform, ValidationError, ValidationPipe } from '@nestjs/common';
import { FieldError, jsonPointer, Problem } from './problem';

/** Validates every body and query against its DTO. Unknown fields are an error, never dropped. */
export function createValidationPipe(): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    // Don't validate the items of a list that is too long.
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

/** Refuses an update without any field. */
export class ChangesPipe implements PipeTransform<object, object> {
  transform(changes: object): object {
    if (Object.values(changes).every((value) => value === undefined)) {
      throw Problem.invalid([{ pointer: '', message: 'must contain at least one field to change' }]);
    }
    return changes;
  }
}
