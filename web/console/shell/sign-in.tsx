import { useState } from 'preact/hooks';
import { useAction } from '../ui/action';
import { text } from '../ui/form';
import { messageOf } from '../ui/problem';
import { useServiceStatus } from './service-status';

interface SignInProps {
  /** Why the last session ended, if it did. */
  notice: string | undefined;
  onSignIn: (key: string, remember: boolean) => Promise<void>;
}

export function SignIn({ notice, onSignIn }: SignInProps) {
  const [isRefused, setIsRefused] = useState(false);
  const signIn = useAction(onSignIn);
  const isWaiting = useServiceStatus() !== 'well' && signIn.isBusy;

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const key = text(fields, 'key');
    const isKey = /^[!-~]+$/.test(key);
    setIsRefused(!isKey);
    if (isKey) signIn.run(key, fields.has('remember'));
  };
  const said = signIn.error === undefined ? notice : messageOf(signIn.error);
  const shown = isRefused ? 'Paste the API key, such as rf_live_… It has no spaces.' : !signIn.isBusy && said;

  return (
    <main class="sign-in">
      <form class="card" onSubmit={submit}>
        <img src="console/icon.svg" alt="" width="44" height="44" />
        <h1>Retention Flow Console</h1>
        <p class="soft">
          Sign in with an API key of your workspace. A key that may only read is enough to look around.
        </p>
        <div class="field">
          <label for="key">API key</label>
          <input
            id="key"
            name="key"
            type="password"
            required
            autofocus
            autocomplete="off"
            spellcheck={false}
            maxLength={200}
            placeholder="rf_live_…"
            aria-describedby="key-problem"
          />
        </div>
        <label class="check">
          <input type="checkbox" name="remember" />
          Stay signed in until this tab is closed
        </label>
        <div id="key-problem" role="alert">
          {shown && <p class="notice error">{shown}</p>}
        </div>
        <button type="submit" class="primary" disabled={signIn.isBusy}>
          {signIn.isBusy ? 'Signing in …' : 'Sign in'}
        </button>
        <p role="status" class="soft">
          {isWaiting && 'The service does not answer yet. Trying again in a moment.'}
        </p>
      </form>
    </main>
  );
}
