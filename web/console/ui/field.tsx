import type { ComponentChildren, JSX } from 'preact';

interface FieldProps {
  /** The name of the field in the interface; unique in the form. */
  name: string;
  /** The name, unless another form of the page has a field of that name, too. */
  id?: string;
  label: string;
  hint?: ComponentChildren;
  /** What is wrong with it. */
  error?: string | undefined;
}

interface ControlProps {
  id: string;
  name: string;
  'aria-describedby': string;
  'aria-invalid': boolean;
}

/** A control with its label, what to know about it, and what is wrong with it. */
export function Field({
  name,
  id = name,
  label,
  hint,
  error,
  children,
}: FieldProps & { children: (props: ControlProps) => JSX.Element }) {
  const control = { id, name, 'aria-describedby': `${id}-about`, 'aria-invalid': error !== undefined };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(control)}
      <div id={`${id}-about`} class="about">
        {error !== undefined && <span class="wrong">{error}</span>}
        {hint && <span class="hint">{hint}</span>}
      </div>
    </div>
  );
}

interface TextFieldProps extends FieldProps {
  /** `text` unless given. */
  type?: 'text' | 'url' | 'email' | 'password' | 'number' | 'date' | 'datetime-local' | 'color';
  value?: string | number | undefined;
  required?: boolean;
  maxLength?: number;
  min?: number | string;
  max?: number | string;
  step?: number | 'any';
  /** A regular expression for all of it. */
  pattern?: string;
  placeholder?: string;
  /** What to choose from, by the value that is typed then, with what it means. Anything else may be typed, too. */
  suggestions?: ReadonlyMap<string, string> | undefined;
  /** `off` unless given. */
  autocomplete?: 'username' | 'current-password' | 'new-password' | 'name' | 'organization';
  onInput?: (value: string) => void;
  /** Called once the field is left, or Enter is pressed. */
  onCommit?: (value: string) => void;
}

/** Without `onInput`, `value` is what it begins with: what somebody types stays. */
export function TextField({
  name,
  id,
  label,
  hint,
  error,
  type = 'text',
  value,
  suggestions,
  onInput,
  onCommit,
  ...input
}: TextFieldProps) {
  return (
    <Field name={name} id={id} label={label} hint={hint} error={error}>
      {(control) => (
        <>
          <input
            // The types of JSX know one type at a time.
            {...{ type: type as 'text' }}
            autocomplete="off"
            {...(onInput ? { value } : { defaultValue: value })}
            {...(suggestions && { list: `${name}-list` })}
            {...input}
            {...control}
            onInput={(event) => onInput?.(event.currentTarget.value)}
            onChange={(event) => onCommit?.(event.currentTarget.value)}
          />
          {suggestions && (
            <datalist id={`${name}-list`}>
              {[...suggestions].map(([value, meaning]) => (
                <option key={value} value={value}>
                  {meaning}
                </option>
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  );
}

interface TextAreaProps extends FieldProps {
  value?: string | undefined;
  required?: boolean;
  maxLength?: number;
  rows?: number;
  onInput?: (value: string) => void;
}

export function TextArea({ name, label, hint, error, onInput, ...textarea }: TextAreaProps) {
  return (
    <Field name={name} label={label} hint={hint} error={error}>
      {(control) => (
        <textarea rows={4} {...textarea} {...control} onInput={(event) => onInput?.(event.currentTarget.value)} />
      )}
    </Field>
  );
}

interface SelectProps extends FieldProps {
  options: (readonly [value: string, label: string])[];
  value?: string | undefined;
  onInput?: (value: string) => void;
}

export function Select({ name, label, hint, error, options, value, onInput }: SelectProps) {
  return (
    <Field name={name} label={label} hint={hint} error={error}>
      {(control) => (
        <select {...control} onInput={(event) => onInput?.(event.currentTarget.value)}>
          {options.map(([option, text]) => (
            <option key={option} value={option} selected={option === value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Options of a select: the names by their values, and the chosen value also where its name is not known. */
export function named(names: Map<string, string>, chosen: string | undefined): [string, string][] {
  const all = [...names];
  return chosen === undefined || names.has(chosen) ? all : [...all, [chosen, chosen]];
}
