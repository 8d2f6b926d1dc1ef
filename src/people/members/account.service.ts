import { Injectable } from '@nestjs/common';
import { EntityManager, In } from 'typeorm';
import { Problem } from '../../platform/api/problems/problem';
import type { Asking } from '../../tenancy/access/api-key.guard';
import { type Tenant, theServiceIn } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import { Workspace } from '../../workspaces/workspace.entity';
import { type ChangePasswordDto, MeDto } from '../dto/account.dto';
import { Passwords, requireLength } from '../sign-in/passwords';
import type { SignedInPerson } from '../../tenancy/access/signed-in-person';
import { PersonSessions } from '../sign-in/person-sessions.service';
import { Person } from '../person.entity';
import { SignInService } from '../sign-in/sign-in.service';

/** A person's own account. */
@Injectable()
export class AccountService {
  constructor(
    private readonly manager: EntityManager,
    private readonly sessions: PersonSessions,
    private readonly signIn: SignInService,
    private readonly passwords: Passwords,
    private readonly units: UnitsOfWork,
  ) {}

  /** The caller, with all their workspaces. A key has one. */
  async me(asking: Asking): Promise<MeDto> {
    const { person, workspaceId, role } = asking;
    const memberships = person?.memberships ?? [{ workspace_id: workspaceId!, role: role! }];
    const ids = memberships.map(({ workspace_id }) => workspace_id);
    const found = await this.manager.find(Workspace, { select: { id: true, name: true }, where: { id: In(ids) } });
    const names = new Map(found.map(({ id, name }) => [id, name]));
    const workspaces = memberships.map((membership) => ({ ...membership, name: names.get(membership.workspace_id)! }));
    return MeDto.of(asking, workspaces);
  }

  /** Takes the password that is good now, and ends all other sessions and every link that sets the password. */
  async changePassword(
    { id, email, name, hash }: SignedInPerson,
    { current_password, password }: ChangePasswordDto,
    address: string,
  ): Promise<void> {
    requireLength(password);
    const own = await this.manager.findBy(Person, { id });
    if (!(await this.signIn.verify(own, email, current_password, address))) throw new Problem('wrong_credentials');
    const stored = await this.passwords.store(password, address);
    await this.units.run(theServiceIn(), async (work) => {
      await work.manager.update(Person, { id }, { password: stored });
      await this.sessions.endAll(work, id, hash);
      await this.signIn.record(work, 'person.password_changed', { id, name });
    });
  }

  signOut({ hash }: SignedInPerson): Promise<void> {
    return this.sessions.end(hash);
  }

  signOutEverywhere({ id }: SignedInPerson): Promise<void> {
    return this.units.run(theServiceIn(), (work) => this.sessions.endAll(work, id));
  }

  /** Records that somebody opens the console with an API key. */
  noteSignIn(tenant: Tenant): Promise<void> {
    const { id, name } = tenant.actor;
    const subject = { type: 'api_key' as const, id, name };
    return this.units.run(tenant, (work) => work.log({ action: 'api_key.signed_in', subject }));
  }
}
