import { Injectable } from '@nestjs/common';
import { EntityManager, IsNull } from 'typeorm';
import { newId } from '../../platform/api/ids';
import { Problem } from '../../platform/api/problems/problem';
import { statement } from '../../platform/database/transaction/statement';
import { NOW, now } from '../../platform/database/time';
import { hashOf } from '../../workspaces/api-keys/api-key-secret';
import { theServiceIn } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import type { Work } from '../../tenancy/work/work';
import { WorkspacesService } from '../../workspaces/workspaces.service';
import type { SetUpDto } from '../dto/sign-in.dto';
import { Member } from '../members/member.entity';
import { OneTimeLink } from './one-time-link.entity';
import { Passwords, requireLength } from '../sign-in/passwords';
import { PeopleService } from '../members/people.service';
import { PersonSessions, type SignedIn } from '../sign-in/person-sessions.service';
import { Person } from '../person.entity';
import { SignInService } from '../sign-in/sign-in.service';

/** Uses a link up; of two who use it at once, one gets it. */
const USE = statement(`
  DELETE FROM one_time_links WHERE hash = :hash
  RETURNING person_id, workspace_id, created_by, mailed_only, expires_at > ${NOW} AS is_good`);

interface Used extends Omit<OneTimeLink, 'hash' | 'expires_at'> {
  is_good: boolean;
}

/** Links that work once: to become the first person, and to set a new password. */
@Injectable()
export class LinksService {
  constructor(
    private readonly manager: EntityManager,
    private readonly passwords: Passwords,
    private readonly people: PeopleService,
    private readonly sessions: PersonSessions,
    private readonly signIn: SignInService,
    private readonly workspaces: WorkspacesService,
    private readonly units: UnitsOfWork,
  ) {}

  /** Makes the first person, who owns the first workspace. Without a workspace, makes that, too. */
  async setUp({ token, email, name, password, workspace_name }: SetUpDto, address: string): Promise<SignedIn> {
    this.signIn.requirePasswords();
    requireLength(password);
    await this.requireLink(token);
    const stored = await this.passwords.store(password, address);
    return this.units.run(theServiceIn(), async (work) => {
      const { manager } = work;
      const isFirst = (await use(work, token))?.person_id === null && !(await manager.exists(Person));
      if (!isFirst) throw new Problem('link_not_found');
      // Another setup that is under way with another link waits here, and finds its link gone.
      await manager.delete(OneTimeLink, { person_id: IsNull() });
      const person = { id: newId(), email: email.toLowerCase(), name };
      await manager.insert(Person, { ...person, password: stored, created_at: now });
      const workspaceId = await this.workspaces.first(work, workspace_name);
      await this.people.join(work, workspaceId, person, 'owner');
      return this.signIn.begin(work, person);
    });
  }

  /** Sets a new password by a link, and signs the person in. All their other sessions end. */
  async setPassword(token: string, password: string, address: string): Promise<SignedIn> {
    this.signIn.requirePasswords();
    requireLength(password);
    await this.requireLink(token);
    const stored = await this.passwords.store(password, address);
    return this.units.run(theServiceIn(), async (work) => {
      const { manager } = work;
      const link = await use(work, token);
      const person = link && (await this.personOf(work, link));
      if (!person) throw new Problem('link_not_found');
      // If somebody else has seen the link, it may be they who chose the password.
      const email_proven = person.email_proven && (link.mailed_only || person.openid_subject !== null);
      await manager.update(Person, { id: person.id }, { password: stored, email_proven });
      if (link.mailed_only) await this.people.prove(work, person);
      await this.sessions.endAll(work, person.id);
      await this.signIn.record(work, 'person.password_changed', person);
      return this.signIn.begin(work, person);
    });
  }

  /**
   * The person whose password a link sets. null unless they are in the link's workspace alone, and its maker still owns
   * that.
   */
  private async personOf(work: Work, { person_id, workspace_id, created_by }: Used): Promise<Person | null> {
    if (!person_id || !workspace_id || !created_by) return null;
    // Nobody joins or leaves a workspace as this person until the password is set.
    const lock = { mode: 'pessimistic_write' } as const;
    const person = await work.manager.findOne(Person, { where: { id: person_id }, lock });
    const isThere = await work.manager.existsBy(Member, { workspace_id, person_id });
    if (!isThere || (await this.people.isElsewhere(work, workspace_id, person_id))) return null;
    return (await this.people.isOwner(work, workspace_id, created_by)) ? person : null;
  }

  /** Deriving a password takes long: not for those who guess. */
  private async requireLink(token: string): Promise<void> {
    if (!(await this.manager.existsBy(OneTimeLink, { hash: hashOf(token) }))) throw new Problem('link_not_found');
  }
}

/** Uses a link up. undefined if it has expired, or there is none. */
async function use(work: Work, token: string): Promise<Used | undefined> {
  const [used] = await work.acrossTenants<Used>(USE, { hash: hashOf(token) });
  return used?.is_good ? used : undefined;
}
