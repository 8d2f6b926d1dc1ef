import { useEffect } from 'preact/hooks';
import { useAction } from '../ui/action';
import { Problem } from '../ui/problem';
import { useAskingAgain, useServiceStatus } from './service-status';

interface ResumingProps {
  /** Signs in with the key that this tab remembers. */
  onResume: () => Promise<void>;
  onSignOut: () => void;
}

/** What is shown after a reload until the service has accepted the key again. */
export function Resuming({ onResume, onSignOut }: ResumingProps) {
  const resume = useAction(onResume);
  const status = useServiceStatus();
  useEffect(() => resume.run(), []);
  useAskingAgain(resume.error === undefined, async () => resume.run());
  return (
    <main class="sign-in">
      <div class="card">
        <h1>Retention Flow Console</h1>
        <p role="status" class="soft">
          {resume.isBusy &&
            (status === 'well' ? 'Signing in …' : 'The service does not answer yet. Trying again in a moment.')}
        </p>
        {resume.error !== undefined && !resume.isBusy && (
          <>
            <Problem error={resume.error} onRetry={() => resume.run()} />
            <button type="button" class="quiet" onClick={onSignOut}>
              Sign out
            </button>
          </>
        )}
      </div>
    </main>
  );
}
