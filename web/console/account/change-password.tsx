import { useRef } from 'preact/hooks';
import { FormEnd } from '../ui/form-end';
import { useSession } from '../shell/session';
import { NewPasswordField } from '../sign-in/new-password-field';
import { TextField } from '../ui/field';
import { secretText, useForm } from '../ui/form';
import { toast } from '../ui/toast';

export function ChangePassword({ email }: { email: string }) {
  const { client } = useSession();
  const fields = useRef<HTMLFormElement>(null);
  const form = useForm(async (typed) => {
    const current_password = secretText(typed, 'current_password');
    await client.me.changePassword({ current_password, password: secretText(typed, 'password') });
    fields.current!.reset();
    toast('Your password is changed, and you are signed out in all other browsers.');
  });
  return (
    <section class="card" aria-labelledby="password-heading">
      <h2 id="password-heading">Password</h2>
      <form ref={fields} onSubmit={form.run} noValidate>
        {/* So that password managers know whose password it is. */}
        <input type="hidden" name="username" autocomplete="username" value={email} />
        <TextField
          name="current_password"
          label="Current password"
          type="password"
          autocomplete="current-password"
          maxLength={200}
          error={form.errorOf('current_password')}
        />
        <NewPasswordField form={form} label="New password" />
        <FormEnd form={form} fields={['current_password', 'password']} verb="Change password" />
      </form>
    </section>
  );
}
