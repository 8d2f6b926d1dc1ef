import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** Somebody who signs in, in one workspace or in several. A person without a workspace is deleted. */
@Entity('people')
@Unique('people_email_key', ['email'])
@Unique('people_openid_subject_key', ['openid_subject'])
@Check('people_email_check', 'char_length(email) BETWEEN 3 AND 254 AND email = lower(email)')
@Check('people_name_check', 'char_length(name) BETWEEN 1 AND 200')
export class Person {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'people_pkey' })
  id: string;

  /** In lower case. */
  @Column('text')
  email: string;

  @Column('text')
  name: string;

  /** What is stored of the password: see `passwords.ts`. Null for one who signs in with OpenID Connect only. */
  @Column('text', { nullable: true })
  password: string | null;

  /** Who the person is to the OpenID provider, once they have signed in there. */
  @Column('text', { nullable: true })
  openid_subject: string | null;

  @Column('timestamptz')
  created_at: Date;
}
