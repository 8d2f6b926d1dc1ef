import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Not, Repository } from 'typeorm';
import { ConnectionPool } from '../../platform/database/connection/connection-pool';
import { prepared, statement } from '../../platform/database/transaction/statement';
import { NOW, now } from '../../platform/database/time';
import { hashOf } from '../../workspaces/api-keys/api-key-secret';
import type { SignedInPerson } from '../../tenancy/access/signed-in-person';
import type { Work } from '../../tenancy/work/work';
import { OneTimeLink } from '../links/one-time-link.entity';
import { IDLE_HOURS, PersonSession, SESSION_DAYS } from './person-session.entity';
import type { Person } from '../person.entity';
import { createToken } from '../links/token';

/** Somebody who has just signed in. */
export interface SignedIn {
  person: Pick<Person, 'id' | 'name' | 'email'>;
  /** The token for the cookie. */
  token: string;
}

interface Found extends SignedInPerson {
  used_recently: boolean;
}

/** SQL that is true while a person's session lasts. */
const GOES_ON = `session.created_at > ${NOW} - interval '${SESSION_DAYS} days'
  AND session.last_used_at > ${NOW} - interval '${IDLE_HOURS} hours'`;

const FIND = prepared(
  'person-session',
  `SELECT person.id, person.name, person.email, session.hash,
    session.last_used_at > ${NOW} - interval '1 minute' AS used_recently,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('workspace_id', workspace_id, 'role', role) ORDER BY workspace_id), '[]')
      FROM members WHERE person_id = person.id) AS memberships
  FROM person_sessions AS session JOIN people AS person ON person.id = session.person_id
  WHERE session.hash = :hash AND ${GOES_ON}`,
);

const FORGET_OLD = statement(`DELETE FROM person_sessions AS session WHERE NOT (${GOES_ON})`);

/** The sessions of people who are signed in: begun, found by their token, ended. */
@Injectable()
export class PersonSessions {
  constructor(
    @InjectRepository(PersonSession) private readonly sessions: Repository<PersonSession>,
    private readonly connections: ConnectionPool,
  ) {}

  /**
   * A new session. Its token is always a new one, so that nobody can know it before. Removes sessions that are over.
   */
  async begin(work: Work, personId: string): Promise<string> {
    const token = createToken();
    await work.acrossTenants(FORGET_OLD);
    await work.manager.insert(PersonSession, {
      hash: hashOf(token),
      person_id: personId,
      created_at: now,
      last_used_at: now,
    });
    return token;
  }

  /** The person of a session that goes on. They are read each time, so that one who was removed is refused at once. */
  async find(hash: Buffer): Promise<SignedInPerson | undefined> {
    const [found] = await this.connections.rows<Found>(FIND, { hash });
    if (!found) return undefined;
    const { used_recently, ...person } = found;
    if (!used_recently) await this.sessions.update({ hash }, { last_used_at: now });
    return person;
  }

  async end(hash: Buffer): Promise<void> {
    await this.sessions.delete({ hash });
  }

  /** Ends all sessions of a person, but the one to keep if there is one, and the links that set their password. */
  async endAll({ manager }: Work, personId: string, kept?: Buffer): Promise<void> {
    await manager.delete(OneTimeLink, { person_id: personId });
    await manager.delete(PersonSession, { person_id: personId, ...(kept && { hash: Not(kept) }) });
  }
}
