import { Injectable, Logger } from '@nestjs/common';
import { Not } from 'typeorm';
import { newId } from '../../platform/api/ids';
import { type Page, PageQuery, readPage } from '../../platform/api/paging/pagination';
import { Problem } from '../../platform/api/problems/problem';
import { Config } from '../../settings/config';
import { prepared, statement } from '../../platform/database/transaction/statement';
import { now, readTime } from '../../platform/database/time';
import { hashOf } from '../../workspaces/api-keys/api-key-secret';
import { requireRole } from '../../tenancy/access/api-key.guard';
import { type Role, ROLES } from '../../tenancy/access/role';
import type { Tenant } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import type { Reader, Work } from '../../tenancy/work/work';
import { WorkspaceCounter } from '../../workspaces/counters/workspace-counter.service';
import { Invitation } from '../invitations/invitation.entity';
import { LinkMails } from '../links/link-mails';
import { DigestsService } from './digests.service';
import { type Digest, Member } from './member.entity';
import { OneTimeLink } from '../links/one-time-link.entity';
import { Person } from '../person.entity';
import { RemovedMember } from './removed-member.entity';
import { createToken, linkTo } from '../links/token';

/** What can be changed of a person: the role by owners, and the mails by themselves. */
interface PersonChanges {
  role?: Role;
  digest?: Digest | null;
}

/** A person as the others of a workspace see them. */
export interface PersonOfWorkspace extends Pick<Person, 'id' | 'name' | 'email'> {
  role: Role;
  digest: Digest | null;
  /** When they joined the workspace. */
  created_at: Date;
}

const LIST = prepared(
  'people',
  `SELECT person.id, person.name, person.email, member.role, member.digest, member.created_at
  FROM members AS member JOIN people AS person ON person.id = member.person_id
  WHERE member.workspace_id = :workspace AND member.person_id < :before ORDER BY member.person_id DESC LIMIT :take`,
);

const rankOf = (role: string): string => `array_position(ARRAY['${ROLES.join("', '")}'], ${role})`;
const IS_HIGHER = `${rankOf('doubled.role')} > ${rankOf('own.role')}`;

/** For two people with one address: where both are, one gets the higher role and its mails, and the other goes. */
const MERGE_MEMBERS = statement(`
  WITH doubled AS (
    DELETE FROM members WHERE person_id = :other AND workspace_id IN (SELECT workspace_id FROM members WHERE person_id = :person)
    RETURNING workspace_id, role, digest, digest_due_at
  )
  UPDATE members AS own SET role = CASE WHEN ${IS_HIGHER} THEN doubled.role ELSE own.role END,
    role_without_groups = CASE WHEN ${IS_HIGHER} THEN NULL ELSE own.role_without_groups END,
    digest = coalesce(own.digest, doubled.digest),
    digest_due_at = CASE WHEN own.digest IS NULL THEN doubled.digest_due_at ELSE own.digest_due_at END
  FROM doubled WHERE own.workspace_id = doubled.workspace_id AND own.person_id = :person`);

const ELSEWHERE = statement(
  `SELECT FROM members JOIN workspaces ON workspaces.id = members.workspace_id
  WHERE person_id = :person AND workspace_id <> :workspace AND live_workspace_id IS DISTINCT FROM :workspace LIMIT 1`,
);

/** They may leave another workspace at the same time. */
const LOCK_ALL = statement(
  'SELECT FROM people WHERE id IN (SELECT person_id FROM members WHERE workspace_id = :workspace) ORDER BY id FOR UPDATE',
);

/** Their sessions and links go with them. */
const REMOVE_ALL = statement(
  `WITH gone AS (DELETE FROM members WHERE workspace_id = :workspace RETURNING person_id)
  DELETE FROM people WHERE id IN (SELECT person_id FROM gone)
    AND NOT EXISTS (SELECT FROM members WHERE person_id = people.id AND workspace_id <> :workspace)`,
);

const LOCK_ADDRESS = statement('SELECT pg_advisory_xact_lock(hashtextextended(:email, 0))');

/** A link, or null if only a mail has it. */
interface SentLink {
  link: string | null;
  mailed: boolean;
}

/** A link to set a new password is good for so long. */
const LINK_HOURS = 24;

/** The people of a workspace, and what they may do. */
@Injectable()
export class PeopleService {
  private readonly logger = new Logger(PeopleService.name);

  constructor(
    private readonly units: UnitsOfWork,
    private readonly counter: WorkspaceCounter,
    private readonly mails: LinkMails,
    private readonly digests: DigestsService,
    private readonly config: Config,
  ) {}

  list(tenant: Tenant, page: PageQuery): Promise<Page<PersonOfWorkspace>> {
    const reader = this.units.reader(tenant);
    return readPage(page, (before, take) => reader.rows<PersonOfWorkspace>(LIST, { before, take }));
  }

  /**
   * Lets a person join a workspace. One who is in it keeps their role.
   *
   * @param role_without_groups `none` if groups alone bring them in
   */
  async join(
    transaction: Work,
    workspaceId: string,
    { id, name }: Pick<Person, 'id' | 'name'>,
    role: Role,
    role_without_groups: 'none' | null = null,
  ): Promise<void> {
    const work = transaction.within(workspaceId, { type: 'person', id, name });
    if ((await work.count(Member, { person_id: id })) > 0) return;
    work.insert(Member, {
      person_id: id,
      role,
      role_without_groups,
      digest: null,
      digest_due_at: null,
      created_at: now,
    });
    work.log({ action: 'person.joined', subject: { type: 'person', id, name }, details: { role } });
    // An owner of another workspace may have made one, and could sign in to this workspace by it.
    await work.manager.delete(OneTimeLink, { person_id: id });
  }

  /** Takes everybody out of a workspace that is deleted, and deletes the people who are in no other. */
  async removeAll(work: Work): Promise<void> {
    await work.rows(LOCK_ALL);
    await work.write(REMOVE_ALL);
  }

  /** Whether an owner has taken somebody out of a workspace who is not invited anew since. */
  async hasRemoved(work: Work, subject: string): Promise<boolean> {
    return (await work.count(RemovedMember, { openid_subject: subject })) > 0;
  }

  /**
   * Gives a member the role of their groups; without one, takes away what groups gave. The last owner stays one.
   * `lockPeople` comes first.
   */
  async followGroups(transaction: Work, person: Person, role?: Role): Promise<void> {
    const { id, name, openid_subject } = person;
    const work = transaction.within(transaction.workspaceId, { type: 'person', id, name });
    const member = await work.manager.findOneBy(Member, { workspace_id: work.workspaceId, person_id: id });
    if (!member) return;
    if (openid_subject) await work.delete(RemovedMember, { openid_subject });
    const left = member.role_without_groups ?? (role ? member.role : null);
    const next = role ?? left;
    if (next === null || (next === member.role && left === member.role_without_groups)) return;
    const isLastOwner = member.role === 'owner' && next !== 'owner' && !(await hasAnotherOwner(work, id));
    if (isLastOwner) return this.logger.warn('The last owner of a workspace stays one, whatever their groups.');
    if (next === 'none') return this.end(work, person);
    await work.update(Member, { person_id: id }, { role: next, role_without_groups: left === next ? null : left });
    if (next === member.role) return;
    if (next !== 'owner') await endLinksBy(work, id);
    const details = { from: member.role, to: next };
    work.log({ action: 'person.role_changed', subject: subjectOf(person), details });
  }

  /** Makes one person of several with the same address, who is in the workspaces of all of them. */
  async merge(work: Work, { id }: Pick<Person, 'id'>, others: Pick<Person, 'id'>[]): Promise<void> {
    const { manager } = work;
    for (const other of others) {
      await work.acrossTenants(MERGE_MEMBERS, { person: id, other: other.id });
      await manager.update(Member, { person_id: other.id }, { person_id: id });
      await manager.update(Invitation, { created_by: other.id }, { created_by: id });
      await manager.update(OneTimeLink, { created_by: other.id }, { created_by: id });
      await manager.delete(Person, { id: other.id });
    }
  }

  /** Lets those who come with an address wait for each other. */
  async lockAddress(work: Work, email: string): Promise<void> {
    await work.acrossTenants(LOCK_ADDRESS, { email });
  }

  /** Whether a person owns a workspace: links of those who don't any more have ended. */
  isOwner({ manager }: Reader, workspaceId: string, id: string): Promise<boolean> {
    return manager.existsBy(Member, { workspace_id: workspaceId, person_id: id, role: 'owner' });
  }

  /** Notes that a person has shown that an address is theirs. Somebody else may have shown it before. */
  async prove({ manager }: Work, { id, email }: Pick<Person, 'id' | 'email'>): Promise<void> {
    if (await manager.existsBy(Person, { email, email_proven: true })) return;
    await manager.update(Person, { id }, { email_proven: true });
  }

  /** Changes the role of a person, as owners do, or what one gets by mail. */
  update(tenant: Tenant, id: string, { role, digest }: PersonChanges): Promise<void> {
    if (role !== undefined) requireRole(tenant.role, 'owner', tenant.actor);
    return this.units.run(tenant, async (work) => {
      if (role !== undefined) await this.changeRole(work, id, role);
      else await work.get(Member, { person_id: id });
      if (digest === undefined) return;
      if (id !== tenant.actor.id) throw Problem.invalid([{ pointer: '/digest', message: 'is for the person to set' }]);
      await this.digests.choose(work, id, digest);
    });
  }

  private async changeRole(work: Work, id: string, role: Role): Promise<void> {
    const { person, member } = await this.lock(work, id);
    if (member.role === role) return;
    if (member.role === 'owner') await requireAnotherOwner(work, id);
    await work.update(Member, { person_id: id }, { role, role_without_groups: null });
    if (role !== 'owner') await endLinksBy(work, id);
    const details = { from: member.role, to: role };
    work.log({ action: 'person.role_changed', subject: subjectOf(person), details });
  }

  /** Takes a person out of a workspace. Their next request is refused. */
  remove(tenant: Tenant, id: string): Promise<void> {
    return this.units.run(tenant, async (work) => {
      const { person, member } = await this.lock(work, id);
      if (member.role === 'owner') await requireAnotherOwner(work, id);
      if (person.openid_subject !== null && !(await this.hasRemoved(work, person.openid_subject)))
        work.insert(RemovedMember, { openid_subject: person.openid_subject, created_at: now });
      await this.end(work, person);
    });
  }

  /** Ends a membership, and what hangs on it. */
  private async end(work: Work, person: Person): Promise<void> {
    const { id } = person;
    await work.delete(Member, { person_id: id });
    await endLinksBy(work, id);
    await work.manager.delete(OneTimeLink, { workspace_id: work.workspaceId, person_id: id });
    work.log({ action: 'person.removed', subject: subjectOf(person) });
    // Their sessions and links go with them.
    if (!(await work.manager.existsBy(Member, { person_id: id }))) await work.manager.delete(Person, { id });
  }

  /**
   * Makes a link to set a new password. The person's earlier links end. The holder of the link can sign in as that
   * person, so it is mailed if the service sends mails, and it is refused for a person who is in another workspace,
   * too.
   */
  async createPasswordLink(tenant: Tenant, id: string, base: string): Promise<SentLink> {
    const { workspaceId, actor } = tenant;
    const token = createToken();
    const hash = hashOf(token);
    const link = linkTo('password', token, this.config.publicUrl ?? base);
    const { email, expires_at } = await this.units.run(tenant, async (work) => {
      const { manager } = work;
      const { person } = await this.lock(work, id);
      if (await this.isElsewhere(work, workspaceId, id)) throw new Problem('person_in_other_workspaces');
      await manager.delete(OneTimeLink, { person_id: id });
      const expires_at = new Date((await readTime(manager)).getTime() + LINK_HOURS * 60 * 60 * 1000);
      const maker = { workspace_id: workspaceId, created_by: actor.id, mailed_only: this.mails.isOn };
      await manager.insert(OneTimeLink, { hash, person_id: id, ...maker, expires_at });
      work.log({ action: 'person.password_link_created', subject: subjectOf(person) });
      return { email: person.email, expires_at: expires_at.toISOString() };
    });
    if (await this.mails.send(workspaceId, { id: newId(), email, link, expires_at }, actor))
      return { link: null, mailed: true };
    await this.units.run(tenant, ({ manager }) => manager.update(OneTimeLink, { hash }, { mailed_only: false }));
    return { link, mailed: false };
  }

  /** Whether a person is in other workspaces, too. Those for tests that this one's owners have made don't count. */
  async isElsewhere(work: Work, workspaceId: string, id: string): Promise<boolean> {
    return (await work.acrossTenants(ELSEWHERE, { person: id, workspace: workspaceId })).length > 0;
  }

  /**
   * Changes of a workspace's people wait for each other, so that one owner stays. It comes before the lock of a person.
   */
  async lockPeople(work: Work): Promise<void> {
    await this.counter.lock(work);
  }

  /** A person of a workspace, under a lock. */
  private async lock(work: Work, id: string) {
    await this.lockPeople(work);
    const lock = { mode: 'pessimistic_write' } as const;
    const person = await work.manager.findOne(Person, { where: { id }, lock });
    const member = await work.get(Member, { person_id: id });
    if (!person) throw new Problem('not_found');
    return { person, member };
  }
}

/** Ends the links that somebody made as an owner. */
async function endLinksBy(work: Work, id: string): Promise<void> {
  await work.delete(Invitation, { created_by: id });
  await work.manager.delete(OneTimeLink, { workspace_id: work.workspaceId, created_by: id });
}

async function hasAnotherOwner(work: Work, id: string): Promise<boolean> {
  return (await work.count(Member, { role: 'owner', person_id: Not(id) })) > 0;
}

async function requireAnotherOwner(work: Work, id: string): Promise<void> {
  if (!(await hasAnotherOwner(work, id))) throw new Problem('last_owner');
}

function subjectOf({ id, name }: Person) {
  return { type: 'person' as const, id, name };
}
