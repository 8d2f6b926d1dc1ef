import { useEffect } from 'preact/hooks';
import { useAction } from '../ui/action';
import { Problem } from '../ui/problem';
import { isUp, useAskingAgain, useServiceStatus } from '../shell/service-status';
import { Entrance } from './entrance';

interface ResumingProps {
  /** Signs in with the key that this tab remembers, or as the person whose cookie the browser has. */
  onResume: () => Promise<void>;
  onLeave: () => void;
}

/** What is shown after a reload until the service has accepted the key again. */
export function Resuming({ onResume, onLeave }: ResumingProps) {
  const resume = useAction(onResume);
  const status = useServiceStatus();
  useEffect(() => resume.run(), []);
  useAskingAgain(resume.error === undefined, async () => resume.run());
  return (
    <Entrance title="Sign in" heading="Retention Flow Console">
      <p role="status" class="soft">
        {resume.isBusy &&
          (isUp(status) ? 'Signing in …' : 'The service does not answer yet. Trying again in a moment.')}
      </p>
      {resume.error !== undefined && !resume.isBusy && (
        <>
          <Problem error={resume.error} onRetry={() => resume.run()} />
          <button type="button" class="quiet" onClick={onLeave}>
            Sign in another way
          </button>
        </>
      )}
    </Entrance>
  );
}
