import { Entrance } from './entrance';
import { InvitationForm } from './invitation-form';
import type { OneTimeLink } from './link';
import { NewPasswordForm } from './new-password-form';
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
