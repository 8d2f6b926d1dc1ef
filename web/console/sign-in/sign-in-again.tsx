import { Dialog } from '../ui/dialog';
import { PersonSignIn } from './person-sign-in';

const REASONS = {
  over: {
    title: 'You are signed out',
    text: 'Your session is over, or an owner removed you from the workspace.',
  },
  'another person': {
    title: 'Somebody else signed in',
    text: 'In another tab of this browser, somebody else signed in. Nothing was changed from this page since.',
  },
};

interface SignInAgainProps {
  why: keyof typeof REASONS;
  email: string;
  onSignedIn: () => Promise<void>;
  onLeave: () => void;
}

/** Over the page of a person who is signed out, so that what they typed is still there afterwards. */
export function SignInAgain({ why, email, onSignedIn, onLeave }: SignInAgainProps) {
  return (
    <Dialog title={REASONS[why].title} onClose={onLeave}>
      <p>
        {REASONS[why].text} What you typed is still on the page when you have signed in again as {email}.
      </p>
      <PersonSignIn email={email} onSignedIn={onSignedIn} />
      <button type="button" class="quiet" onClick={onLeave}>
        Leave this page
      </button>
    </Dialog>
  );
}
