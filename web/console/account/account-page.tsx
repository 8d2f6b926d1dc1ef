import { useRef, useState } from 'preact/hooks';
import { useSession } from '../shell/session';
import { NewPasswordField } from '../sign-in/new-password-field';
import { Confirm } from '../ui/dialog';
import { TextField } from '../ui/field';
import { secretText, useForm } from '../ui/form';
import { FormEnd } from '../ui/form-end';
import { Page } from '../ui/page';
import { toast } from '../ui/toast';

/** What a person sees and changes of their own. */
export function AccountPage() {
  const { client, actor, email, workspaces, end } = useSession();
  const [isLeaving, setIsLeaving] = useState(false);
  if (email === null) {
    return (
      <Page title="Your account">
        <p>You are signed in with the API key {actor.name}, which is no person and has no account.</p>
      </Page>
    );
  }
  return (
    <Page title="Your account">
      <section class="card" aria-labelledby="you-heading">
        <h2 id="you-heading">You</h2>
        <dl class="facts">
          <div>
            <dt>Name</dt>
            <dd>{actor.name}</dd>
          </div>
          <div>
            <dt>E-mail</dt>
            <dd>{email}</dd>
          </div>
          <div>
            <dt>Workspaces</dt>
            <dd>
              <ul>
                {workspaces.map(({ id, name, role }) => (
                  <li key={id}>
                    {name} <span class="badge">{role}</span>
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        </dl>
      </section>
      <ChangePassword email={email} />
      <section class="card" aria-labelledby="sessions-heading">
        <h2 id="sessions-heading">Where you are signed in</h2>
        <p>If you left a session open on another machine, end them all. You are asked for your password here, too.</p>
        <div class="actions">
          <button type="button" class="quiet" onClick={() => setIsLeaving(true)}>
            Sign out everywhere
          </button>
        </div>
      </section>
      {isLeaving && (
        <Confirm
          title="Sign out everywhere?"
          verb="Sign out"
          onConfirm={async () => {
            await client.me.signOutEverywhere();
            end();
          }}
          onClose={() => setIsLeaving(false)}
        >
          <p>Your sessions end in all browsers, this one too.</p>
        </Confirm>
      )}
    </Page>
  );
}

function ChangePassword({ email }: { email: string }) {
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
