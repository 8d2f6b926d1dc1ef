import { ApiError, RetentionFlow, type Workspace } from '@retention-flow/client';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { observed } from './service-status';

/** Where the service is, also behind a proxy that puts it under a path. */
export const SERVICE = new URL('.', document.baseURI).href.replace(/\/$/, '');

const REFUSED = "The service does not accept this API key. It is unknown, revoked, expired or the operator's.";

/** What somebody who has signed in looks at the service with. */
export interface Session {
  client: RetentionFlow;
  workspace: Workspace;
  /** Whether the key may change things. Otherwise no page offers a change. */
  mayWrite: boolean;
  /** The id of the key that is signed in with. */
  keyId: string | undefined;
  end: (reason?: string) => void;
  /** Notes how the workspace is now. */
  changed: (workspace: Workspace) => void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

/** For pages, which are only shown in a session. */
export function useSession(): Session {
  return useContext(SessionContext)!;
}

/** The key is not for the console, and never will be. */
export class KeyRefused extends Error {}

/** What a session tells the one who shows it. */
type Following = Pick<Session, 'end' | 'changed'>;

/** Begins a session. It ends once, with a reason to show, as soon as the service refuses the key. */
export async function signIn(key: string, { end, changed }: Following): Promise<Session> {
  let isUnderWay = false;
  const endOnce = (reason?: string) => {
    // An answer that comes late is none of the next session's business.
    if (isUnderWay) end(reason);
    isUnderWay = false;
  };
  const watched = observed(() => endOnce(REFUSED));
  const client = new RetentionFlow({ baseUrl: SERVICE, apiKey: key, fetch: watched });
  try {
    const workspace = await client.workspace.get();
    const own = await findKey(client, key);
    isUnderWay = true;
    return { client, workspace, mayWrite: own?.access === 'write', keyId: own?.id, end: endOnce, changed };
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status === 401;
    throw isRefused ? new KeyRefused(REFUSED, { cause: error }) : error;
  }
}

/** The service never shows a key again, but the ends of all. */
async function findKey(client: RetentionFlow, key: string) {
  for await (const known of client.apiKeys.list({ limit: 500 })) {
    if (key.startsWith(known.prefix) && key.endsWith(known.last_four) && known.revoked_at === null) return known;
  }
  return undefined;
}
