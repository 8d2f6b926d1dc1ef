import { useState } from 'preact/hooks';
import { Entrance } from './entrance';
import { KeyForm } from './key-form';
import { PersonSignIn } from './person-sign-in';

interface SignInPageProps {
  /** Why the last session ended, if it did. */
  notice: string | undefined;
  /** Whether to begin with the API key. */
  byKey: boolean;
  onKey: (key: string, remember: boolean) => Promise<void>;
  onSignedIn: () => Promise<void>;
}

/** Where people sign in; those who have nothing else, with an API key. */
export function SignInPage({ notice, byKey, onKey, onSignedIn }: SignInPageProps) {
  const [withKey, setWithKey] = useState(byKey);
  return (
    <Entrance title="Sign in" heading="Retention Flow Console">
      {notice && (
        <p class="notice error" role="alert">
          {notice}
        </p>
      )}
      {withKey ? <KeyForm onSignIn={onKey} /> : <PersonSignIn onSignedIn={onSignedIn} />}
      <button type="button" class="quiet" onClick={() => setWithKey(!withKey)}>
        {withKey ? 'Sign in as a person instead' : 'Use an API key instead'}
      </button>
    </Entrance>
  );
}
