import type { Me } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { ChooseWorkspace } from '../sign-in/choose-workspace';
import { takeRefusal, useLink } from '../sign-in/link';
import { LinkPage } from '../sign-in/link-page';
import { Resuming } from '../sign-in/resuming';
import { SignInAgain } from '../sign-in/sign-in-again';
import { SignInPage } from '../sign-in/sign-in-page';
import { Frame } from './frame';
import { rememberedKey, rememberedWorkspace } from './remembered';
import { type Access, Choosing, Refused, type Session, SessionContext, signIn, visitor } from './session';

/** Where somebody is on their way into the console. */
type Stage =
  | { at: 'resuming' }
  | { at: 'signing in'; notice?: string | undefined; byKey: boolean }
  | { at: 'choosing'; workspaces: Me['workspaces']; notice?: string | undefined }
  | { at: 'pages'; session: Session; signedOut?: 'over' | 'another person' };

const REFUSED =
  'Single sign-on did not let you in. Nobody invited this address, none of your groups has a role here, or it took too long.';

const NOT_KEPT =
  'You signed in, but your browser did not keep it. Without https, it does so only on the machine that the service runs on.';

const firstStage = (): Stage =>
  takeRefusal() ? { at: 'signing in', notice: REFUSED, byKey: false } : { at: 'resuming' };

/** What to say to a person whose workspace is none of theirs any more. */
function leftSince(stage: Stage, { workspaces }: Choosing): string | undefined {
  if (stage.at !== 'pages') return undefined;
  const { id, name } = stage.session.workspace;
  return workspaces.some((workspace) => workspace.id === id) ? undefined : `You are not in ${name} any more.`;
}

/** The console: what leads into it, or its pages for a person or an API key. */
export function App() {
  const [link, letGo] = useLink();
  const [stage, setStage] = useState(firstStage);

  const end = (notice?: string, byKey = false) => {
    rememberedKey.set(undefined);
    rememberedWorkspace.set(undefined);
    setStage({ at: 'signing in', notice, byKey });
  };
  const begin = async (access: Access) => {
    const begun = await signIn(access, {
      end: (reason) => end(reason, access.key !== undefined),
      onSignedOut: (isAnother) =>
        setStage((stage) =>
          stage.at === 'pages' ? { ...stage, signedOut: isAnother ? 'another person' : 'over' } : stage,
        ),
      onLeft: () => void resume().catch(() => setStage({ at: 'resuming' })),
      refresh,
      changed: (workspace) =>
        setStage((stage) => (stage.at === 'pages' ? { ...stage, session: { ...stage.session, workspace } } : stage)),
    });
    if (begun instanceof Choosing) setStage((stage) => ({ at: 'choosing', ...begun, notice: leftSince(stage, begun) }));
    else setStage({ at: 'pages', session: begun });
  };
  /** @param otherwise what to say if nobody is signed in */
  const resume = async (otherwise?: string) => {
    const access = { key: rememberedKey.get(), workspaceId: rememberedWorkspace.get() };
    try {
      await begin(access);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      end(error.message || otherwise, access.key !== undefined);
    }
  };
  const refresh = (workspaceId?: string) => {
    if (workspaceId) rememberedWorkspace.set(workspaceId);
    return resume();
  };
  const signInByKey = async (key: string, remember: boolean) => {
    await begin({ key, isNew: true });
    rememberedKey.set(remember ? key : undefined);
  };
  const enter = async () => {
    rememberedKey.set(undefined);
    await resume(NOT_KEPT);
    letGo();
  };
  const signOut = async () => {
    await visitor.me.signOut();
    end();
  };

  if (link) return <LinkPage link={link} onSignedIn={enter} onLeave={letGo} />;
  if (stage.at === 'resuming') {
    return <Resuming onResume={() => resume()} onLeave={() => end(undefined, rememberedKey.get() !== undefined)} />;
  }
  if (stage.at === 'signing in') {
    return <SignInPage notice={stage.notice} byKey={stage.byKey} onKey={signInByKey} onSignedIn={enter} />;
  }
  if (stage.at === 'choosing') {
    const { workspaces, notice } = stage;
    return <ChooseWorkspace workspaces={workspaces} notice={notice} onChoose={refresh} onSignOut={signOut} />;
  }
  const { session, signedOut } = stage;
  return (
    <SessionContext.Provider value={session}>
      {/* What somebody types stays if the same one signs in again. */}
      <Frame key={`${session.actor.id} ${session.workspace.id}`} />
      {signedOut && <SignInAgain why={signedOut} email={session.email!} onSignedIn={enter} onLeave={() => end()} />}
    </SessionContext.Provider>
  );
}
