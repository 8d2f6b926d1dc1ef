import type { CallOptions } from '../connection.ts';
import type { Answer, Body } from '../types.ts';
import { Resource } from './resource.ts';

/** The actor of the request: the API key, or the person who is signed in with this browser. */
export class Me extends Resource {
  /** The actor of the request, with their role. */
  get(options?: CallOptions): Promise<Answer<'me_get'>> {
    return this.connection.repeatable('get', '/api/v1/public/me', {}, options);
  }

  /**
   * Changes the person's password. Their sessions in other browsers end. After a lost answer, it may be told that the
   * old one is wrong.
   */
  changePassword(body: Body<'me_changePassword'>, options?: CallOptions): Promise<Answer<'me_changePassword'>> {
    return this.connection.repeatable('put', '/api/v1/public/me/password', { body }, options);
  }

  /** Ends the person's session in this browser. */
  signOut(options?: CallOptions): Promise<Answer<'me_signOut'>> {
    return this.connection.repeatable('delete', '/api/v1/public/me/session', {}, options);
  }

  /** Ends the person's sessions in all browsers. */
  signOutEverywhere(options?: CallOptions): Promise<Answer<'me_signOutEverywhere'>> {
    return this.connection.repeatable('delete', '/api/v1/public/me/sessions', {}, options);
  }

  /** Records that somebody opens the console with the API key. */
  signIn(options?: CallOptions): Promise<Answer<'me_signIn'>> {
    return this.connection.once('/api/v1/public/me/sign-in', {}, options);
  }
}

/** How people come in. For browsers: what signs in sets a cookie. */
export class Auth extends Resource {
  /** How people sign in to this service. */
  ways(options?: CallOptions): Promise<Answer<'auth_ways'>> {
    return this.connection.repeatable('get', '/api/v1/auth', {}, options);
  }

  /** Signs in with e-mail and password. */
  signIn(body: Body<'auth_signIn'>, options?: CallOptions): Promise<Answer<'auth_signIn'>> {
    return this.connection.once('/api/v1/auth/session', { body }, options);
  }

  /** Becomes the first person, with the link that the service printed. */
  setUp(body: Body<'auth_setUp'>, options?: CallOptions): Promise<Answer<'auth_setUp'>> {
    return this.connection.once('/api/v1/auth/setup', { body }, options);
  }

  /** Sets a new password with a link. */
  setPassword(body: Body<'auth_setPassword'>, options?: CallOptions): Promise<Answer<'auth_setPassword'>> {
    return this.connection.once('/api/v1/auth/password', { body }, options);
  }

  /** Reads what an invitation is for. */
  readInvitation(body: Body<'auth_readInvitation'>, options?: CallOptions): Promise<Answer<'auth_readInvitation'>> {
    return this.connection.repeatable('post', '/api/v1/auth/invitation', { body }, options);
  }

  /** Accepts an invitation. */
  acceptInvitation(
    body: Body<'auth_acceptInvitation'>,
    options?: CallOptions,
  ): Promise<Answer<'auth_acceptInvitation'>> {
    return this.connection.once('/api/v1/auth/invitation/accept', { body }, options);
  }
}
