import { useState } from 'preact/hooks';
import { isUp, useServiceStatus } from '../shell/service-status';
import { useAction } from '../ui/action';
import { text } from '../ui/form';
import { messageOf } from '../ui/problem';
import { focusFirst } from './focus-first';

interface KeyFormProps {
  onSignIn: (key: string, remember: boolean) => Promise<void>;
}

/** Signs in with an API key. */
export function KeyForm({ onSignIn }: KeyFormProps) {
  const [isRefused, setIsRefused] = useState(false);
  const signIn = useAction(onSignIn);
  const isWaiting = !isUp(useServiceStatus()) && signIn.isBusy;

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const key = text(fields, 'key');
    const isKey = /^[!-~]+$/.test(key);
    setIsRefused(!isKey);
    if (isKey) signIn.run(key, fields.has('remember'));
  };
  const failure = !signIn.isBusy && signIn.error !== undefined && messageOf(signIn.error);
  const shown = isRefused ? 'Paste the API key, such as rf_live_… It has no spaces.' : failure;

  return (
    <form ref={focusFirst} onSubmit={submit}>
      <p class="soft">A key that may only read is enough to look around.</p>
      <div class="field">
        <label for="key">API key</label>
        <input
          id="key"
          name="key"
          type="password"
          required
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
  );
}
