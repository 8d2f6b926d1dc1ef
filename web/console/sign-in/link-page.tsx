import { visitor } from '../shell/session';
import { secretText, useForm } from '../ui/form';
import { FormProblem } from '../ui/form-problem';
import { Entrance } from './entrance';
import { focusFirst } from './focus-first';
import { InvitationForm } from './invitation-form';
import type { OneTimeLink } from './link';
import { NewPasswordField } from './new-password-field';
import { SetupForm } from './setup-form';

/** What the form of each kind of link gets. */
export interface LinkFormProps {
  token: string;
  /** The person is signed in: the browser has the cookie. */
  onSignedIn: () => Promise<void>;
}

const FORMS = {
  setup: { title: 'Set up the console', Form: SetupForm },
  invitation: { title: 'Accept your invitation', Form: InvitationForm },
  password: { title: 'Choose a new password', Form: NewPasswordForm },
};

interface LinkPageProps extends Pick<LinkFormProps, 'onSignedIn'> {
  link: OneTimeLink;
  onLeave: () => void;
}

/** What a link opens that works once. */
export function LinkPage({ link: { page, token }, onSignedIn, onLeave }: LinkPageProps) {
  const { title, Form } = FORMS[page];
  return (
    <Entrance key={token} title={title}>
      <Form token={token} onSignedIn={onSignedIn} />
      <button type="button" class="quiet" onClick={onLeave}>
        To the console
      </button>
    </Entrance>
  );
}

/** Sets a new password, by a link from an owner. */
function NewPasswordForm({ token, onSignedIn }: LinkFormProps) {
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
