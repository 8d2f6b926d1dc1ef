import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Raw, Repository } from 'typeorm';
import type { IdempotentRequest } from '../../common/idempotent-request';
import { newId } from '../../common/ids';
import { type Page, PageQuery, readNewest } from '../../common/pagination';
import { Problem } from '../../common/problem';
import { requireRoom } from '../../common/room';
import { Config } from '../../config';
import { Idempotency, OPERATOR } from '../../database/idempotency.service';
import { ManagementLimits } from '../../database/management-limits.service';
import { NOW, now, readTime } from '../../database/time';
import { Transactions } from '../../database/transactions';
import type { Actor } from '../actor';
import { hashOf } from '../api-key-secret';
import { ChangeLog } from '../changes/change-log.service';
import { WorkspaceCodes } from '../workspace-codes.service';
import { WorkspacesService } from '../workspaces.service';
import type { AcceptInvitationDto, CreatedInvitationDto, CreateInvitationDto } from './dto/invitation.dto';
import { Invitation, INVITATION_DAYS, MAX_PEOPLE } from './invitation.entity';
import { InvitationMails } from './invitation-mails';
import { Member } from './member.entity';
import { Passwords, requireLength } from './passwords';
import { PeopleService } from './people.service';
import type { SignedIn } from './person-sessions.service';
import { Person } from './person.entity';
import { SignInService } from './sign-in.service';
import { createToken, linkTo } from './token';

/** Whether an invitation may still be accepted, as a condition of TypeORM. */
const IS_OPEN = Raw((expires_at) => `${expires_at} > ${NOW}`);

/** Who is to join a workspace: invited, listed, and let in. */
@Injectable()
export class InvitationsService {
  constructor(
    @InjectRepository(Invitation) private readonly invitations: Repository<Invitation>,
    private readonly people: PeopleService,
    private readonly signIn: SignInService,
    private readonly passwords: Passwords,
    private readonly workspaces: WorkspacesService,
    private readonly codes: WorkspaceCodes,
    private readonly changes: ChangeLog,
    private readonly idempotency: Idempotency,
    private readonly limits: ManagementLimits,
    private readonly mails: InvitationMails,
    private readonly transactions: Transactions,
    private readonly config: Config,
  ) {}

  /** Those that may still be accepted. */
  list(workspaceId: string, page: PageQuery): Promise<Page<Invitation>> {
    return readNewest(this.invitations, { workspace_id: workspaceId, expires_at: IS_OPEN }, page);
  }

  /** Makes an invitation with its link, which can't be read again, and mails it. It replaces an earlier one of the same address. */
  async create(
    workspaceId: string,
    invited: CreateInvitationDto,
    actor: Actor,
    base: string,
    idempotent?: IdempotentRequest,
  ): Promise<CreatedInvitationDto> {
    const owner = actor.type === 'operator' ? OPERATOR : workspaceId;
    const id = newId();
    // The mail takes no slot from other changes.
    const created = await this.limits.short.run(owner, () =>
      this.idempotency.run(owner, idempotent, async (manager) => {
        await this.workspaces.get(workspaceId);
        const { token, ...invitation } = await this.insert(workspaceId, { id, ...invited }, actor, manager);
        const link = linkTo('invitation', token, this.config.publicUrl ?? base);
        return { ...invitation, link, mailed: false };
      }),
    );
    const isRepeated = created.id !== id;
    if (isRepeated || !(await this.mails.send(workspaceId, created, actor))) return created;
    const mailed = { ...created, mailed: true };
    await this.idempotency.amend(owner, idempotent, mailed);
    return mailed;
  }

  delete(workspaceId: string, id: string, actor: Actor): Promise<void> {
    return this.transactions.run(async (manager) => {
      const invitation = await manager.findOneBy(Invitation, { workspace_id: workspaceId, id });
      const { affected } = await manager.delete(Invitation, { workspace_id: workspaceId, id });
      if (!invitation || !affected) throw new Problem('not_found');
      const subject = { type: 'invitation' as const, id, name: invitation.email };
      await this.changes.append(workspaceId, { actor, action: 'invitation.deleted', subject }, manager);
    });
  }

  /** What an invitation says to those who have its link. */
  async read(token: string): Promise<{ email: string; workspace_name: string; is_known: boolean }> {
    const { email, workspace_id } = await this.open(token);
    const { name } = await this.workspaces.get(workspace_id);
    return { email, workspace_name: name, is_known: await this.invitations.manager.existsBy(Person, { email }) };
  }

  /** Lets a person in: a new one with a new password, one who is known with their own. */
  async accept({ token, name, password }: AcceptInvitationDto, address: string): Promise<SignedIn> {
    this.signIn.requirePasswords();
    const { email } = await this.open(token);
    const isKnown = await this.invitations.manager.existsBy(Person, { email });
    const known = isKnown ? await this.signIn.verify(email, password, address) : undefined;
    const newcomer = known ? undefined : await this.newcomer(email, name, password, address);
    return this.transactions.run(async (manager) => {
      const invitation = await manager.findOneBy(Invitation, { hash: hashOf(token), expires_at: IS_OPEN });
      // Of two who accept it at once, one deletes it.
      const { affected } = await manager.delete(Invitation, { hash: hashOf(token) });
      if (!invitation || !affected) throw new Problem('link_not_found');
      if (newcomer) await manager.insert(Person, newcomer);
      const person = newcomer ?? known!;
      // Nobody deletes the person until they have joined.
      await manager.findOneOrFail(Person, { where: { id: person.id }, lock: { mode: 'pessimistic_write' } });
      await this.people.join(invitation.workspace_id, person, invitation.role, manager);
      return this.signIn.begin(person, manager);
    });
  }

  private async insert(
    workspaceId: string,
    { id, email, role }: CreateInvitationDto & Pick<Invitation, 'id'>,
    actor: Actor,
    manager: EntityManager,
  ) {
    await this.codes.lock(workspaceId, manager);
    const address = { workspace_id: workspaceId, email: email.toLowerCase() };
    await requireNoMember(address, manager);
    await manager.delete(Invitation, address);
    const [members, open] = await Promise.all([
      manager.countBy(Member, { workspace_id: workspaceId }),
      manager.countBy(Invitation, { workspace_id: workspaceId, expires_at: IS_OPEN }),
    ]);
    requireRoom(members + open, MAX_PEOPLE, 'people_limit_reached');
    const token = createToken();
    const expires_at = new Date((await readTime(manager)).getTime() + INVITATION_DAYS * 24 * 60 * 60 * 1000);
    await manager.insert(Invitation, { ...address, id, hash: hashOf(token), role, created_at: now, expires_at });
    const subject = { type: 'invitation' as const, id, name: address.email };
    await this.changes.append(
      workspaceId,
      { actor, action: 'invitation.created', subject, details: { role } },
      manager,
    );
    return { id, email: address.email, role, expires_at: expires_at.toISOString(), token };
  }

  private async newcomer(email: string, name: string | undefined, password: string, address: string) {
    requireLength(password);
    if (name === undefined) throw Problem.invalid([{ pointer: '/name', message: 'must be sent by a new person' }]);
    const stored = await this.passwords.store(password, address);
    return { id: newId(), email, name, password: stored, created_at: now };
  }

  private async open(token: string): Promise<Invitation> {
    const invitation = await this.invitations.findOneBy({ hash: hashOf(token), expires_at: IS_OPEN });
    if (!invitation) throw new Problem('link_not_found');
    return invitation;
  }
}

async function requireNoMember(
  { workspace_id, email }: Pick<Invitation, 'workspace_id' | 'email'>,
  manager: EntityManager,
): Promise<void> {
  const person = await manager.findOneBy(Person, { email });
  if (person && (await manager.existsBy(Member, { workspace_id, person_id: person.id }))) {
    throw new Problem('already_member');
  }
}
