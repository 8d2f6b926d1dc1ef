import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Raw, Repository } from 'typeorm';
import { newId } from '../../platform/api/ids';
import type { Page, PageQuery } from '../../platform/api/paging/pagination';
import { Problem } from '../../platform/api/problems/problem';
import { requireRoom } from '../../platform/api/room';
import { Config } from '../../settings/config';
import { Idempotency } from '../../platform/database/transaction/idempotency.service';
import { ManagementLimits } from '../../platform/database/queue/management-limits.service';
import { NOW, now, readTime } from '../../platform/database/time';
import { hashOf } from '../../workspaces/api-keys/api-key-secret';
import { type Tenant, theServiceIn } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import type { Reader, Work } from '../../tenancy/work/work';
import { WorkspaceCounter } from '../../workspaces/counters/workspace-counter.service';
import { WorkspacesService } from '../../workspaces/workspaces.service';
import type {
  AcceptInvitationDto,
  CreatedInvitationDto,
  CreateInvitationDto,
  OpenInvitationDto,
} from '../dto/invitation.dto';
import { Invitation, INVITATION_DAYS, MAX_PEOPLE } from './invitation.entity';
import { LinkMails } from '../links/link-mails';
import { Member } from '../members/member.entity';
import { Passwords, requireLength } from '../sign-in/passwords';
import { PeopleService } from '../members/people.service';
import type { SignedIn } from '../sign-in/person-sessions.service';
import { MAX_WITH_ADDRESS, Person } from '../person.entity';
import { SignInService } from '../sign-in/sign-in.service';
import { createToken, linkTo } from '../links/token';

/** Whether an invitation may still be accepted, as a condition of TypeORM. */
const IS_OPEN = Raw((expires_at) => `${expires_at} > ${NOW}`);

/** Who is to join a workspace: invited, listed, and let in. */
@Injectable()
export class InvitationsService {
  constructor(
    @InjectRepository(Invitation) private readonly invitations: Repository<Invitation>,
    private readonly units: UnitsOfWork,
    private readonly people: PeopleService,
    private readonly signIn: SignInService,
    private readonly passwords: Passwords,
    private readonly workspaces: WorkspacesService,
    private readonly counter: WorkspaceCounter,
    private readonly idempotency: Idempotency,
    private readonly limits: ManagementLimits,
    private readonly mails: LinkMails,
    private readonly config: Config,
  ) {}

  /** The invitations that may still be accepted. */
  list(tenant: Tenant, page: PageQuery): Promise<Page<Invitation>> {
    return this.units.reader(tenant).page(Invitation, { expires_at: IS_OPEN }, page);
  }

  /**
   * Makes an invitation with its link, and mails it; it replaces an earlier one of the same address. Where mails are
   * sent, only the mail has the link, so whoever accepts reads mail at the address. The operator, who may do
   * everything, gets the link in any case.
   *
   * @param workspaceId which workspace to join: the tenant's, unless the operator invites
   */
  async create(
    tenant: Tenant,
    invited: CreateInvitationDto,
    base: string,
    workspaceId = tenant.workspaceId,
  ): Promise<CreatedInvitationDto> {
    const { actor, idempotent } = tenant;
    const id = newId();
    const mailed_only = this.mails.isOn && actor.type !== 'operator';
    let link = '';
    // The mail takes no slot from other changes.
    const created = await this.limits.short.run(tenant.workspaceId, () =>
      this.units.run(tenant, async (work) => {
        const own = work.within(workspaceId);
        await this.workspaces.of(own);
        const { token, ...invitation } = await this.insert(own, { id, ...invited, mailed_only });
        link = linkTo('invitation', token, this.config.publicUrl ?? base);
        return { ...invitation, link: mailed_only ? null : link, mailed: false };
      }),
    );
    const isRepeated = created.id !== id;
    if (isRepeated || !this.mails.isOn) return created;
    const mailed = await this.mails.send(workspaceId, { ...created, link }, actor);
    if (!mailed) await this.invitations.update({ workspace_id: workspaceId, id }, { mailed_only: false });
    const answer = { ...created, link: mailed_only && mailed ? null : link, mailed };
    await this.idempotency.amend(tenant.workspaceId, idempotent, answer);
    return answer;
  }

  delete(tenant: Tenant, id: string): Promise<void> {
    return this.units.run(tenant, async (work) => {
      const { email } = await work.get(Invitation, id);
      if ((await work.delete(Invitation, id)) === 0) throw new Problem('not_found');
      work.log({ action: 'invitation.deleted', subject: { type: 'invitation', id, name: email } });
    });
  }

  /** An invitation as shown to whoever has its link. */
  async read(token: string): Promise<OpenInvitationDto> {
    const { email, workspace_id } = await this.find(this.units.reader(theServiceIn()), token);
    const { name } = await this.workspaces.get(workspace_id);
    const people = await this.signIn.withAddress(email);
    const is_known = people.some(({ email_proven }) => email_proven);
    return { email, workspace_name: name, is_known, may_be_known: people.length > 0 };
  }

  /**
   * Lets a person in. If somebody has proved the address, only their password is accepted. Until then, the password of
   * any person with the address joins as that person, and another password makes a new person of this workspace. No
   * other person changes.
   */
  async accept({ token, name, password }: AcceptInvitationDto, address: string): Promise<SignedIn> {
    this.signIn.requirePasswords();
    const { email, mailed_only } = await this.find(this.units.reader(theServiceIn()), token);
    const people = await this.signIn.withAddress(email);
    const known = people.length > 0 ? await this.signIn.verify(people, email, password, address) : undefined;
    const isTaken = people.some(({ email_proven }) => email_proven);
    if (!known && (isTaken || (people.length > 0 && name === undefined))) throw new Problem('wrong_credentials');
    // Whoever proves the address is found before the others.
    if (!known && !mailed_only && people.length >= MAX_WITH_ADDRESS) throw new Problem('address_limit_reached');
    const newcomer = known ? undefined : await this.newcomer(email, name, password, address);
    return this.units.run(theServiceIn(), async (work) => {
      const { manager } = work;
      const invitation = await this.find(work, token);
      await this.counter.lock(work.within(invitation.workspace_id));
      // Of two who accept it at once, one deletes it.
      const { affected } = await manager.delete(Invitation, { hash: hashOf(token) });
      if (!affected) throw new Problem('link_not_found');
      if (newcomer) {
        await this.people.lockAddress(work, email);
        // Somebody else with the address may have come while the password was derived.
        if ((await manager.countBy(Person, { email })) !== people.length) throw new Problem('conflict');
        await manager.insert(Person, newcomer);
      }
      const person = newcomer ?? known!;
      await this.signIn.hold(work, person);
      if (invitation.mailed_only) await this.people.prove(work, person);
      await this.people.join(work, invitation.workspace_id, person, invitation.role);
      return this.signIn.begin(work, person);
    });
  }

  private async insert(
    work: Work,
    { id, email: address, role, mailed_only }: CreateInvitationDto & Pick<Invitation, 'id' | 'mailed_only'>,
  ) {
    const email = address.toLowerCase();
    await this.counter.lock(work);
    await requireNoMember(work, email);
    await work.delete(Invitation, { email });
    const [members, open] = await Promise.all([work.count(Member), work.count(Invitation, { expires_at: IS_OPEN })]);
    requireRoom(members + open, MAX_PEOPLE, 'people_limit_reached');
    const token = createToken();
    const expires_at = new Date((await readTime(work.manager)).getTime() + INVITATION_DAYS * 24 * 60 * 60 * 1000);
    const created_by = work.actor.id;
    work.insert(Invitation, {
      id,
      email,
      hash: hashOf(token),
      role,
      created_by,
      mailed_only,
      created_at: now,
      expires_at,
    });
    work.log({
      action: 'invitation.created',
      subject: { type: 'invitation', id, name: email },
      details: { role },
    });
    return { id, email, role, expires_at: expires_at.toISOString(), token };
  }

  private async newcomer(email: string, name: string | undefined, password: string, address: string) {
    requireLength(password);
    if (name === undefined) throw Problem.invalid([{ pointer: '/name', message: 'must be sent by a new person' }]);
    const stored = await this.passwords.store(password, address);
    return { id: newId(), email, name, password: stored, created_at: now };
  }

  /** The invitation of a link that is still good: an owner who made it is an owner still. */
  private async find(reader: Reader, token: string): Promise<Invitation> {
    const invitation = await reader.manager.findOneBy(Invitation, { hash: hashOf(token), expires_at: IS_OPEN });
    if (!invitation) throw new Problem('link_not_found');
    const { workspace_id, created_by } = invitation;
    if (created_by && !(await this.people.isOwner(reader, workspace_id, created_by))) {
      throw new Problem('link_not_found');
    }
    return invitation;
  }
}

async function requireNoMember(work: Work, email: string): Promise<void> {
  const people = await work.manager.findBy(Person, { email });
  const ids = people.map(({ id }) => id);
  if ((await work.count(Member, { person_id: In(ids) })) > 0) throw new Problem('already_member');
}
