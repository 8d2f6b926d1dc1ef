import { ApiError, type FieldError, type Me, RetentionFlow, type Workspace } from '@retention-flow/client';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { observed } from './service-status';

/** Where the service is, also behind a proxy that puts it under a path. */
export const SERVICE = new URL('.', document.baseURI).href.replace(/\/$/, '');

const REFUSED = "The service does not accept this API key. It is unknown, revoked, expired or the operator's.";

/** Asks for those who have not signed in yet. */
export const visitor = new RetentionFlow({ baseUrl: SERVICE, fetch: observed() });

/** A signed-in session of the console: who asks, about which workspace, and what they may do there. */
export interface Session {
  client: RetentionFlow;
  workspace: Workspace;
  actor: Me['actor'];
  /** Of the person; null for an API key. */
  email: string | null;
  role: NonNullable<Me['role']>;
  /** All workspaces of the person. */
  workspaces: Me['workspaces'];
  /** Whether flows and offers may be changed. Otherwise no page offers it. */
  mayWrite: boolean;
  /** Whether everything else may be changed, too. */
  isOwner: boolean;
  end: (reason?: string) => void;
  /** Reads again who asks and what they may do, in the workspace with this id if one is given. */
  refresh: (workspaceId?: string) => Promise<void>;
  /** Notes how the workspace is now. */
  changed: (workspace: Workspace) => void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

/** For pages, which are only shown in a session. */
export function useSession(): Session {
  return useContext(SessionContext)!;
}

/** Nobody is signed in, or the key is not for the console, and never will be. */
export class Refused extends Error {}

/** A person of several workspaces has to choose one. */
export class Choosing {
  constructor(readonly workspaces: Me['workspaces']) {}
}

/** An API key, or the cookie of a person, for one of their workspaces. */
export interface Access {
  key?: string | undefined;
  workspaceId?: string | undefined;
  /** Whether somebody has just typed the key, which the log of changes has then. */
  isNew?: boolean;
}

/** What a session tells the one who shows it. */
interface Following extends Pick<Session, 'end' | 'refresh' | 'changed'> {
  /** The person is signed out, or somebody else has signed in with this browser. */
  onSignedOut: (isAnother: boolean) => void;
  /** The person is not in the workspace any more, but in another. */
  onLeft: () => void;
}

/** Begins a session. It is over as soon as the service refuses the key or the person. */
export async function signIn({ key, workspaceId, isNew }: Access, following: Following): Promise<Session | Choosing> {
  let session: Session | undefined;
  /** An answer that comes late is none of the next session's business. */
  const over = (tell: () => void) => {
    if (session) tell();
    session = undefined;
  };
  const end = (reason?: string) => over(() => following.end(reason));
  const watched = observed(async (response) => {
    const { code, errors = [] } = await problemOf(response);
    if (code === 'another_person') over(() => following.onSignedOut(true));
    else if (errors.some((error) => 'header' in error && error.header === 'Workspace-Id')) over(following.onLeft);
    // Those of the password that is changed, not of the session.
    else if (response.status === 401 && code !== 'wrong_credentials') {
      if (key === undefined) over(() => following.onSignedOut(false));
      else end(REFUSED);
    }
  });
  const names: Names = { 'Workspace-Id': workspaceId };
  const client = new RetentionFlow({ baseUrl: SERVICE, apiKey: key, fetch: naming(names, watched) });
  try {
    const { actor, email, role, workspace_id, workspaces } = await client.me.get();
    if (role === null) return new Choosing(workspaces);
    names['Workspace-Id'] = workspace_id!;
    if (actor.type === 'person') names['Person-Id'] = actor.id!;
    const workspace = await client.workspace.get();
    if (isNew) await client.me.signIn();
    const rights = { role, mayWrite: role !== 'viewer', isOwner: role === 'owner' };
    session = { ...following, client, workspace, actor, email, workspaces, ...rights, end };
    return session;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error;
    throw new Refused(key === undefined ? undefined : REFUSED, { cause: error });
  }
}

/** What the console shows, as headers. */
type Names = Partial<Record<'Workspace-Id' | 'Person-Id', string | undefined>>;

/**
 * A fetch that says with each request whose page of which workspace it comes from: another tab may have signed in
 * somebody else, whose cookie the browser sends.
 */
function naming(names: Names, send: typeof fetch): typeof fetch {
  return (request, init) => {
    for (const [header, id] of Object.entries(names)) if (id) (request as Request).headers.set(header, id);
    return send(request, init);
  };
}

async function problemOf(response: Response): Promise<{ code?: string; errors?: FieldError[] }> {
  if (![400, 401, 403].includes(response.status)) return {};
  return (await response
    .clone()
    .json()
    .catch(() => ({}))) as object;
}
