import { visitor } from '../shell/session';
import { TextField } from '../ui/field';
import { secretText, text, useForm } from '../ui/form';
import { FormProblem } from '../ui/form-problem';
import { focusFirst } from './focus-first';

export interface PasswordFormProps {
  /** The address to begin with. */
  email?: string | undefined;
  /** The person is signed in: the browser has the cookie. */
  onSignedIn: () => Promise<void>;
}

/** Signs a person in by their e-mail address and password. */
export function PasswordForm({ email, onSignedIn }: PasswordFormProps) {
  const form = useForm(async (fields) => {
    await visitor.auth.signIn({ email: text(fields, 'email'), password: secretText(fields, 'password') });
    await onSignedIn();
  });
  return (
    <form ref={focusFirst} onSubmit={form.run} noValidate>
      <TextField
        name="email"
        id="sign-in-email"
        label="E-mail"
        type="email"
        autocomplete="username"
        value={email}
        error={form.errorOf('email')}
      />
      <TextField
        name="password"
        id="sign-in-password"
        label="Password"
        type="password"
        autocomplete="current-password"
        error={form.errorOf('password')}
      />
      <FormProblem form={form} fields={['email', 'password']} />
      <button type="submit" class="primary" disabled={form.isBusy}>
        {form.isBusy ? 'Signing in …' : 'Sign in'}
      </button>
    </form>
  );
}
