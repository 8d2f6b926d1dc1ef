import { TextField } from '../ui/field';
import type { Form } from '../ui/form';

/** Where somebody chooses a password. */
export function NewPasswordField({ form, label = 'Password' }: { form: Form; label?: string }) {
  return (
    <TextField
      name="password"
      label={label}
      type="password"
      autocomplete="new-password"
      maxLength={200}
      hint="At least 12 characters. A few words make a good one."
      error={form.errorOf('password')}
    />
  );
}
