import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync, type ValidationError, type ValidatorOptions } from 'class-validator';
import { isPlainObject } from '../../common/json';
import { jsonPointer } from '../problems/json-pointer';
import { pick } from '../../common/pick';
import { rememberRules } from '../../internals/class-validator-rules';
import { type FieldError, type ParameterError, Problem } from '../problems/problem';

/** Types of parameters that are no DTO. */
const BUILT_IN: unknown[] = [undefined, String, Number, Boolean, Object, Array];

const RULES: ValidatorOptions = {
  // Unknown fields are an error, never dropped.
  whitelist: true,
  forbidNonWhitelisted: true,
  forbidUnknownValues: true,
  // Don't validate the items of a list that is too long.
  stopAtFirstError: true,
  validationError: { target: false, value: false },
};

rememberRules();

/**
 * Makes every body and query an instance of its DTO, and validates it. Nest's ValidationPipe does the same in twice the
 * time: it waits for promises, and looks for values that JSON can't have.
 */
export class DtoPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type === 'custom' || BUILT_IN.includes(metatype)) return value;
    const sent = value ?? {};
    if (!isPlainObject(sent)) throw Problem.invalid([{ pointer: '', message: 'must be an object' }]);
    const { dto, faults } = checked(metatype as new () => object, sent, []);
    if (faults.length > 0) throw Problem.invalid(type === 'body' ? faults : faults.map(ofParameter));
    return dto;
  }
}

/** A fault of a query or a path as one of its parameter: they are flat. */
function ofParameter({ pointer, message }: FieldError): ParameterError {
  return { parameter: pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~'), message };
}

/** A value as an instance of its DTO, with what is wrong with it, and where. `path` leads to the value. */
export function checked<T extends object>(
  type: new () => T,
  value: object,
  path: (string | number)[],
): { dto: T; faults: FieldError[] } {
  const names = Object.keys(value);
  const known = knownFields(type);
  const unknown = names.filter((name) => !known.has(name));
  // class-transformer compares each name with all others, and copies what is behind them.
  const fields =
    unknown.length === 0
      ? value
      : pick(
          value as Record<string, unknown>,
          names.filter((name) => known.has(name)),
        );
  const dto = plainToInstance<T, object>(type, fields);
  const faults = unknown.map((name) => ({ pointer: jsonPointer(...path, name), message: 'is not a known field' }));
  return { dto, faults: [...faults, ...fieldErrors(validateSync(dto, RULES), path.map(String))] };
}

const KNOWN_FIELDS = new Map<unknown, Set<string>>();

function knownFields(type: new () => object): Set<string> {
  const known = KNOWN_FIELDS.get(type) ?? new Set(fieldsOf(type));
  KNOWN_FIELDS.set(type, known);
  return known;
}

/** The names of the fields of a DTO. */
export function fieldsOf(type: new () => object): string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}

/** What is wrong with the fields of a value, and where. `path` leads to the value. */
export function fieldErrors(errors: ValidationError[], path: string[]): FieldError[] {
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
