import { visitor } from '../shell/session';
import { secretText, useForm } from '../ui/form';
import { FormProblem } from '../ui/form-problem';
import { focusFirst } from './focus-first';
import type { LinkFormProps } from './link-page';
import { NewPasswordField } from './new-password-field';

/** Sets a new password, by a link from an owner. */
export function NewPasswordForm({ token, onSignedIn }: LinkFormProps) {
  const form = useForm(async (fields) => {
    await visitor.auth.setPassword({ token, password: secretText(fields, 'password') });
    await onSignedIn();
  });
  return (
    <>
      <p class="soft">You are signed in then, and signed out in all other browsers.</p>
      <form ref={focusFirst} onSubmit={form.run} noValidate>
        <NewPasswordField form={form} label="New password" />
        <FormProblem form={form} fields={['password']} />
        <button type="submit" class="primary" disabled={form.isBusy}>
          Set the password
        </button>
      </form>
    </>
  );
}
