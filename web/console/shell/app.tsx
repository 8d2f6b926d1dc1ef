import { useEffect, useState } from 'preact/hooks';
import { Frame } from './frame';
import { rememberedKey, rememberKey } from './remembered-key';
import { type Session, SessionContext, signIn } from './session';
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
    setSession(undefined);
  };
  const begin = async (key: string, remember: boolean) => {
    const begun = await signIn(key, end);
    rememberKey(remember ? key : null);
    setEnded(undefined);
    setSession(begun);
  };

  useEffect(() => {
    const key = rememberedKey();
    if (key === null) return;
    begin(key, true)
      .catch((error: Error) => setEnded(error.message))
      .finally(() => setIsResuming(false));
  }, []);

  if (isResuming) return null;
  if (!session) return <SignIn notice={ended} onSignIn={begin} />;
  return (
    <SessionContext.Provider value={session}>
      <Frame />
    </SessionContext.Provider>
  );
}
