import { ApiError, type BodyError } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { type Action, useAction } from './action';

/** A form that the service checks: what it finds wrong is shown at the field. */
export interface Form extends Action<[event: SubmitEvent]> {
  /** What is wrong with a field, by its name in the interface or a JSON Pointer, such as `/offer_ids/0`. */
  errorOf: (field: string) => string | undefined;
  /** What is wrong and belongs to none of these fields. */
  otherErrors: (fields: string[]) => string[];
}

/**
 * @param send sends what the form holds, with the name of the button that was pressed; rejects with an `ApiError` that
 * names the fields
 */
export function useForm(send: (fields: FormData) => Promise<void>): Form {
  const [faults, setFaults] = useState<BodyError[]>([]);
  const action = useAction(async (form: HTMLFormElement, button: HTMLElement | null) => {
    setFaults([]);
    try {
      await send(new FormData(form, button));
    } catch (error) {
      if (error instanceof ApiError && error.fields.length > 0) {
        setFaults(error.fields);
        focusFirst(form, error.fields);
      } else throw error;
    }
  });
  const isOf = (field: string, pointer: string) => {
    const own = field.startsWith('/') ? field : `/${field}`;
    return pointer === own || pointer.startsWith(`${own}/`);
  };
  return {
    ...action,
    run: (event) => {
      // Also while it is busy: the browser would send the form by itself.
      event.preventDefault();
      action.run(event.currentTarget as HTMLFormElement, event.submitter);
    },
    errorOf: (field) => faults.find(({ pointer }) => isOf(field, pointer))?.message,
    otherErrors: (fields) =>
      faults
        .filter(({ pointer }) => !fields.some((field) => isOf(field, pointer)))
        .map(({ pointer, message }) => `${pointer.slice(1)} ${message}`),
  };
}

/** The field that stands first in the form, whatever the service names first. */
function focusFirst(form: HTMLFormElement, faults: BodyError[]): void {
  const names = faults.map(({ pointer }) => CSS.escape(pointer.split('/')[1]));
  form.querySelector<HTMLElement>(names.map((name) => `[name="${name}"], #${name}`).join())?.focus();
}

/** What a field of a password holds: space is a part of it. */
export function secretText(fields: FormData, name: string): string {
  return fields.get(name) as string;
}

/** What a text field holds, without the space around it. */
export function text(fields: FormData, name: string): string {
  return ((fields.get(name) as string | null) ?? '').trim();
}
