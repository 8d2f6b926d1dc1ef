import type { Customer, Draft } from './types.ts';

/** What a tab keeps of a session, so that a reload goes on with it. */
export interface Memory {
  /** The Idempotency-Key of the start. It is stored before the start is sent. */
  key?: string;
  session?: string;
  /** What the customer has entered at a node and not sent yet. Gone with the node. */
  draft?: Draft;
  /** An `accept` or `keep` was sent, and its answer has not come. */
  unconfirmed?: boolean;
}

/** The part of sessionStorage that is used. */
export interface TabStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** The service, the flow and the customer that a session belongs to. */
export interface Tab {
  /** The tab's sessionStorage. Reading this property throws where the browser forbids it. */
  readonly storage?: TabStorage;
}

export interface MemoryOwner {
  /** The origin (and path) of the service, without a slash at the end. */
  api: string;
  /** The slug of the flow. */
  flow: string;
  customer?: Customer;
  /** Sent in place of the customer: a token that the host's backend has signed. */
  customerToken?: string;
}

/** The memory of one customer in one flow. Without storage, or when it throws, nothing is remembered. */
export function createMemory(tab: Tab, owner: MemoryOwner) {
  const { api, flow, customer, customerToken } = owner;
  const id = customerToken === undefined ? customer?.id : subjectOf(customerToken);
  const name = `retention-flow ${JSON.stringify([api, flow, id])}`;
  const attempt = <T>(action: (storage: TabStorage) => T): T | undefined => {
    try {
      return action(tab.storage!);
    } catch {
      return undefined;
    }
  };
  return {
    read: (): Memory => {
      const memory = attempt((storage) => JSON.parse(storage.getItem(name)!) as Memory | null);
      return typeof memory?.key === 'string' ? memory : {};
    },
    write: ({ draft, ...memory }: Memory) => {
      // Without a name, the next person in this tab may be somebody else.
      const kept = id ? { ...memory, draft } : memory;
      attempt((storage) => storage.setItem(name, JSON.stringify(kept)));
    },
    clear: () => attempt((storage) => storage.removeItem(name)),
  };
}

/** The `sub` claim of a JWT, unverified: a refreshed token finds the session of the one before. '' if it has none. */
function subjectOf(token: string): string {
  try {
    const claims = JSON.parse(atob(token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/'))) as { sub?: string };
    return claims.sub ?? '';
  } catch {
    return '';
  }
}
