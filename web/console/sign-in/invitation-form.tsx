import { visitor } from '../shell/session';
import { TextField } from '../ui/field';
import { secretText, text, useForm } from '../ui/form';
import { FormProblem } from '../ui/form-problem';
import { Loaded, useLoading } from '../ui/loading';
import { focusFirst } from './focus-first';
import type { LinkFormProps } from './link-page';
import { NewPasswordField } from './new-password-field';
import { OpenIdLink } from './person-sign-in';

/**
 * Lets somebody into a workspace: a new person with a name and a password, one who is known with the password they
 * have.
 */
export function InvitationForm({ token, onSignedIn }: LinkFormProps) {
  const loading = useLoading(async (signal) => {
    const [invitation, ways] = await Promise.all([
      visitor.auth.readInvitation({ token }, { signal }),
      visitor.auth.ways({ signal }),
    ]);
    return { ...invitation, ways };
  }, []);
  const form = useForm(async (fields) => {
    const name = text(fields, 'name');
    const password = secretText(fields, 'password');
    await visitor.auth.acceptInvitation({ token, password, ...(name && { name }) });
    await onSignedIn();
  });
  return (
    <Loaded loading={loading}>
      {({ email, workspace_name, is_known, may_be_known, ways }) => (
        <>
          <p class="named">
            You are invited to <strong>{workspace_name}</strong> as {email}.
          </p>
          {ways.openid && <OpenIdLink />}
          {ways.password && (
            <form ref={focusFirst} onSubmit={form.run} noValidate>
              {/* So that password managers know whose password it is. */}
              <input type="hidden" name="username" autocomplete="username" value={email} />
              {is_known ? (
                <TextField
                  name="password"
                  label="Your password"
                  type="password"
                  autocomplete="current-password"
                  hint="The one that you sign in to this service with."
                  error={form.errorOf('password')}
                />
              ) : (
                <>
                  {may_be_known && (
                    <p class="soft">
                      Somebody uses this service with your address in another workspace. If that is you, leave the name
                      empty and type the password that you have.
                    </p>
                  )}
                  <TextField
                    name="name"
                    label="Your name"
                    autocomplete="name"
                    maxLength={200}
                    error={form.errorOf('name')}
                  />
                  <NewPasswordField form={form} />
                </>
              )}
              <FormProblem form={form} fields={['name', 'password']} />
              <button type="submit" class="primary" disabled={form.isBusy}>
                Join
              </button>
            </form>
          )}
        </>
      )}
    </Loaded>
  );
}
