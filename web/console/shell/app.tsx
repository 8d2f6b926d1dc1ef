import { useEffect, useState } from 'preact/hooks';
import { Frame } from './frame';
import { rememberedKey, rememberKey } from './remembered-key';
import { Resuming } from './resuming';
import { KeyRefused, type Session, SessionContext, signIn } from './session';
import { SignIn } from './sign-in';

/** The console: the form to sign in, or the pages for a key. */
export function App() {
  const [session, setSession] = useState<Session>();
  /** Why the last session ended. */
  const [ended, setEnded] = useState<string>();
  const [isResuming, setIsResuming] = useState(() => rememberedKey() !== null);

  const end = (reason?: string) => {
    rememberKey(null);
    setEnded(reason);
    setIsResuming(false);
    setSession(undefined);
  };
  const begin = async (key: string, remember: boolean) => {
    const begun = await signIn(key, {
      end,
      changed: (workspace) => setSession((session) => session && { ...session, workspace }),
    });
    rememberKey(remember ? key : null);
    setEnded(undefined);
    setIsResuming(false);
    setSession(begun);
  };
  const resume = () =>
    begin(rememberedKey()!, true).catch((error: unknown) => {
      if (!(error instanceof KeyRefused)) throw error;
      end(error.message);
    });

  // The old page is gone, and with it what its title says.
  useEffect(() => {
    if (!session) document.title = 'Sign in – Retention Flow Console';
  }, [session]);

  if (isResuming) return <Resuming onResume={resume} onSignOut={() => end()} />;
  if (!session) return <SignIn notice={ended} onSignIn={begin} />;
  return (
    <SessionContext.Provider value={session}>
      <Frame />
    </SessionContext.Provider>
  );
}
