import type { CallOptions, CreateOptions } from '../connection.ts';
import { List } from '../list.ts';
import type { Answer, Body, Invitation, InvitationList, Person, PersonList, Query } from '../types.ts';
import { Resource } from './resource.ts';

/** The people of the workspace. For a browser in which a person is signed in. */
export class People extends Resource {
  /** People, newest first. */
  list(query?: Query<'people_list'>, options?: CallOptions): List<PersonList, Person> {
    return new List(
      (from) => this.connection.repeatable('get', '/api/v1/public/people', { query: { ...query, ...from } }, options),
      ({ people }) => people,
    );
  }

  /** Changes the role of a person. */
  update(id: string, changes: Body<'people_update'>, options?: CallOptions): Promise<Answer<'people_update'>> {
    return this.connection.repeatable('put', '/api/v1/public/people/{id}', { path: { id }, body: changes }, options);
  }

  /** Removes a person from the workspace, at once. */
  remove(id: string, options?: CallOptions): Promise<Answer<'people_remove'>> {
    return this.connection.repeatable('delete', '/api/v1/public/people/{id}', { path: { id } }, options);
  }

  /** Makes a link with which a person sets a new password. It is shown only this once. */
  createPasswordLink(id: string, options?: CallOptions): Promise<Answer<'people_createPasswordLink'>> {
    return this.connection.once('/api/v1/public/people/{id}/password-link', { path: { id } }, options);
  }
}

/** Invitations to the workspace. Only for an owner who is signed in with this browser. */
export class Invitations extends Resource {
  /** Open invitations, newest first. */
  list(query?: Query<'invitations_list'>, options?: CallOptions): List<InvitationList, Invitation> {
    return new List(
      (from) =>
        this.connection.repeatable('get', '/api/v1/public/invitations', { query: { ...query, ...from } }, options),
      ({ invitations }) => invitations,
    );
  }

  /** Invites a person, by mail if the service sends mails. The link is shown only this once. */
  create(body: Body<'invitations_create'>, options?: CreateOptions): Promise<Answer<'invitations_create'>> {
    return this.connection.creating('/api/v1/public/invitations', { body }, options);
  }

  /** Withdraws an invitation. */
  delete(id: string, options?: CallOptions): Promise<Answer<'invitations_delete'>> {
    return this.connection.repeatable('delete', '/api/v1/public/invitations/{id}', { path: { id } }, options);
  }
}
