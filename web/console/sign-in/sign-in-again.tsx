import { Dialog } from '../ui/dialog';
import { PersonSignIn } from './person-sign-in';

interface SignInAgainProps {
  email: string;
  onSignedIn: () => Promise<void>;
  onLeave: () => void;
}

/** Over the page of a person who is signed out, so that what they typed is still there afterwards. */
export function SignInAgain({ email, onSignedIn, onLeave }: SignInAgainProps) {
  return (
    <Dialog title="You are signed out" onClose={onLeave}>
      <p>
        Your session is over, or an owner removed you from the workspace. What you typed is still on the page when you
        have signed in again.
      </p>
      <PersonSignIn email={email} onSignedIn={onSignedIn} />
      <button type="button" class="quiet" onClick={onLeave}>
        Leave this page
      </button>
    </Dialog>
  );
}
