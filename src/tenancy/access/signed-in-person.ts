import type { Role } from './role';

/** A person's place in a workspace. */
export interface Membership {
  workspace_id: string;
  role: Role;
}

/** A person who is signed in, as a request needs to know them. */
export interface SignedInPerson {
  id: string;
  name: string;
  email: string;
  /** SHA-256 of the token of their session. */
  hash: Buffer;
  /** Never empty: a person without a workspace is deleted. */
  memberships: Membership[];
}
