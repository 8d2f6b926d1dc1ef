import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** The most people with one address: signing in tries the password of each. */
export const MAX_WITH_ADDRESS = 5;

/**
 * Somebody who signs in, in one workspace or in several. A person without a workspace is deleted.
 *
 * Whoever invites an address can open the link, so an address may be several people's until its owner proves it.
 */
@Entity('people')
@Index('people_proven_email_key', ['email'], { unique: true, where: 'email_proven' })
@Index('people_by_email', ['email'])
@Unique('people_openid_subject_key', ['openid_subject'])
@Check('people_email_check', 'char_length(email) BETWEEN 3 AND 254 AND email = lower(email)')
@Check('people_name_check', 'char_length(name) BETWEEN 1 AND 200')
export class Person {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'people_pkey' })
  id: string;

  /** In lower case. */
  @Column('text')
  email: string;

  /** Whether the person has shown that they read mail at the address: by a mailed link, or by OpenID Connect. */
  @Column('boolean', { default: false })
  email_proven: boolean;

  @Column('text')
  name: string;

  /** The stored form of the password: see `passwords.ts`. Null for one who signs in with OpenID Connect only. */
  @Column('text', { nullable: true })
  password: string | null;

  /** Who the person is to the OpenID provider, once they have signed in there. */
  @Column('text', { nullable: true })
  openid_subject: string | null;

  @Column('timestamptz')
  created_at: Date;
}
