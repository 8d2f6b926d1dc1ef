import { visitor } from '../shell/session';
import { TextField } from '../ui/field';
import { secretText, text, useForm } from '../ui/form';
import { FormProblem } from '../ui/form-problem';
import { focusFirst } from './focus-first';
import type { LinkFormProps } from './link-page';
import { NewPasswordField } from './new-password-field';

/** Makes the first person of the service, an owner. */
export function SetupForm({ token, onSignedIn }: LinkFormProps) {
  const form = useForm(async (fields) => {
    const workspace_name = text(fields, 'workspace_name');
    await visitor.auth.setUp({
      token,
      name: text(fields, 'name'),
      email: text(fields, 'email'),
      password: secretText(fields, 'password'),
      ...(workspace_name && { workspace_name }),
    });
    await onSignedIn();
  });
  return (
    <>
      <p class="soft">You become its first person, an owner, and can invite others then.</p>
      <form ref={focusFirst} onSubmit={form.run} noValidate>
        <TextField name="name" label="Your name" autocomplete="name" maxLength={200} error={form.errorOf('name')} />
        <TextField name="email" label="E-mail" type="email" autocomplete="username" error={form.errorOf('email')} />
        <NewPasswordField form={form} />
        <TextField
          name="workspace_name"
          label="Name of the workspace"
          autocomplete="organization"
          maxLength={200}
          hint="Your team and the exit page read it. You can change it later."
          error={form.errorOf('workspace_name')}
        />
        <FormProblem form={form} fields={['name', 'email', 'password', 'workspace_name']} />
        <button type="submit" class="primary" disabled={form.isBusy}>
          Set up
        </button>
      </form>
    </>
  );
}
