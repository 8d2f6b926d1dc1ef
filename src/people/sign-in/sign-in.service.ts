import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Problem } from '../../platform/api/problems/problem';
import { Config } from '../../settings/config';
import type { Actor } from '../../tenancy/access/actor';
import type { Action } from '../../tenancy/log/actions';
import { theServiceIn } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import type { Work } from '../../tenancy/work/work';
import type { WaysToSignInDto } from '../dto/sign-in.dto';
import { Member } from '../members/member.entity';
import { PersonSessions, type SignedIn } from './person-sessions.service';
import { MAX_WITH_ADDRESS, Person } from '../person.entity';
import { Passwords } from './passwords';
import { SignInThrottle } from './sign-in-throttle';

/** Signs people in, by their password. */
@Injectable()
export class SignInService {
  constructor(
    private readonly manager: EntityManager,
    private readonly sessions: PersonSessions,
    private readonly passwords: Passwords,
    private readonly throttle: SignInThrottle,
    private readonly units: UnitsOfWork,
    private readonly config: Config,
  ) {}

  /** How people sign in here. */
  ways(): WaysToSignInDto {
    return { password: this.config.passwords, openid: this.config.openId !== undefined };
  }

  /** Begins a session. Does the same work whether the address is known or not. */
  async signIn(email: string, password: string, address: string): Promise<SignedIn> {
    const person = await this.verify(await this.withAddress(email), email, password, address);
    if (!person) throw new Problem('wrong_credentials');
    return this.units.run(theServiceIn(), async (work) => {
      await this.hold(work, person);
      return this.begin(work, person);
    });
  }

  /** Nobody deletes a person until the transaction ends. Throws a 401 if somebody has. */
  async hold({ manager }: Work, { id }: Pick<Person, 'id'>): Promise<void> {
    const person = await manager.findOne(Person, { where: { id }, lock: { mode: 'pessimistic_write' } });
    if (!person) throw new Problem('wrong_credentials');
  }

  /** The people with an address, in whatever case: first the one who has proved that it is theirs. */
  withAddress(email: string): Promise<Person[]> {
    return this.manager.find(Person, {
      where: { email: email.toLowerCase() },
      order: { email_proven: 'DESC', id: 'ASC' },
      take: MAX_WITH_ADDRESS,
    });
  }

  /** The first of some people with an address whose password it is. Takes as long for none as for one. */
  verify(people: Person[], email: string, password: string, address: string): Promise<Person | undefined> {
    this.requirePasswords();
    return this.throttle.run(email.toLowerCase(), address, async () => {
      if (people.length === 0) await this.passwords.isRight(password, null, address);
      for (const [index, person] of people.entries()) {
        const compared = this.passwords.isRight(password, person.password, address);
        // Once a guess was wrong, it counts, even without room to compare it with the next person's.
        const isRight = await (index === 0 ? compared : compared.catch(() => false));
        if (isRight) return person;
      }
      return undefined;
    });
  }

  /** Throws a 403 if the operator has turned passwords off. */
  requirePasswords(): void {
    if (!this.config.passwords) throw new Problem('passwords_off');
  }

  /** Begins a session of a person, in a transaction. */
  async begin(work: Work, person: Pick<Person, 'id' | 'name' | 'email'>): Promise<SignedIn> {
    const token = await this.sessions.begin(work, person.id);
    await this.record(work, 'person.signed_in', person);
    return { person, token };
  }

  /** Records what a person did with their own account, in each of their workspaces. */
  async record(work: Work, action: Action, { id, name }: Pick<Person, 'id' | 'name'>): Promise<void> {
    const actor: Actor = { type: 'person', id, name };
    const memberships = await work.manager.findBy(Member, { person_id: id });
    for (const { workspace_id } of memberships) {
      work.within(workspace_id, actor).log({ action, subject: { type: 'person', id, name } });
    }
  }
}
